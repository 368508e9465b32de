// The applications of `bench report` and the changes of a flood, as values: whoever plays them (the embedded cluster, the watch
// source) plays the same. Ten applications end an operation with every change; in each round ten others do.
import type { KubeObject } from '@fairlead/kube';

export const applications = 1_000;
export const engineNamespace = 'argocd';

export interface Flood {
  /** A multiple of `applications`: each of them changes as often as the others. */
  readonly changes: number;
  /** Of the numbers that its revisions are made of. */
  readonly base: number;
  /** When its first operation began. */
  readonly epochMs: number;
}

export interface Change {
  /** Which application. */
  readonly n: number;
  /** As a merge patch. */
  readonly status: ApplicationStatus;
}

interface Operation {
  readonly phase: string;
  readonly startedAt: string;
  readonly [field: string]: unknown;
}

export interface ApplicationStatus {
  readonly sync: { readonly status: string; readonly revision: string };
  readonly health: { readonly status: string };
  readonly operationState?: Operation;
}

export const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
export const nameOf = (n: number) => `app-${n}`;
export const revisionOf = (change: number) => change.toString(16).padStart(40, '0');

export const application = (n: number): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: nameOf(n), namespace: engineNamespace },
  spec: { project: 'default', destination: { namespace: 'x' }, source: { repoURL: 'https://git.example/x.git' } },
});

/** The change number `index` of a flood. */
export function changeOf({ base, epochMs }: Flood, index: number): Change {
  const n = index % applications;
  const round = Math.floor(index / applications);
  const endsOne = n % 100 === 0 || n % 100 === round % 100;
  const startedAt = new Date(epochMs + index * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return { n, status: statusOf(base + index, endsOne ? { startedAt } : undefined) };
}

/** A status as an engine writes it; with `operation`, one that ended. */
export function statusOf(change: number, operation?: { readonly startedAt: string }): ApplicationStatus {
  const revision = revisionOf(change);
  const sync = { status: 'Synced', revision };
  const health = { status: change % 2 === 0 ? 'Healthy' : 'Progressing' };
  if (!operation) return { sync, health };
  const operationState = {
    operation: { sync: { revision } },
    phase: change % 3 === 0 ? 'Failed' : 'Succeeded',
    message: `operation of change ${change}`,
    startedAt: operation.startedAt,
    finishedAt: operation.startedAt,
    syncResult: { revision, resources: [], source: { repoURL: 'https://git.example/x.git' } },
  };
  return { sync, health, operationState };
}

/** One line for each operation that ends in a flood: which application, what, when and how. */
export const operationsOf = (flood: Flood): readonly string[] =>
  numbers(flood.changes).flatMap((index) => {
    const { n, status } = changeOf(flood, index);
    const { operationState } = status;
    if (!operationState) return [];
    return [operationLine({ name: nameOf(n), revision: status.sync.revision, ...operationState })];
  });

interface OperationWords {
  readonly name: string;
  readonly revision: string;
  readonly startedAt: string;
  readonly phase: string;
}

export const operationLine = ({ name, revision, startedAt, phase }: OperationWords) =>
  `${name} ${revision} ${new Date(startedAt).toISOString()} ${phase}`;
