import type {
  Application,
  ExplainedObject,
  Explanation,
  ExplanationLink,
  Remedy,
  ResourceNode,
} from '@fairlead/contracts';
import type { Evidence } from './evidence.ts';

/** Says why, or that it has nothing to say. Pure and deterministic: the same evidence gives the same words. */
export type Rule = (evidence: Evidence) => Explanation | undefined;

export const hint = (title: string, detail?: string): Remedy => ({ title, act: 'hint', ...(detail ? { detail } : {}) });
export const act = (kind: Exclude<Remedy['act'], 'hint'>, title: string): Remedy => ({ title, act: kind });

/** The commit that is deployed now, as an actor. */
export function deployedCommit({ status }: Application): string | undefined {
  const revision = status?.operationState?.syncResult?.revision ?? status?.sync?.revision;
  return revision ? `commit ${revision.slice(0, 7)}` : undefined;
}

export function objectOf(node: Pick<ResourceNode, 'group' | 'kind' | 'namespace' | 'name'>): ExplainedObject {
  return { group: node.group ?? '', kind: node.kind, namespace: node.namespace ?? '', name: node.name };
}

export function link(title: string, fields: Omit<ExplanationLink, 'title'> = {}): ExplanationLink {
  return { title, ...fields };
}

/** The first link of a chain that starts at an object: `Deployment web`. */
export function objectLink(node: ResourceNode, detail?: string): ExplanationLink {
  return link(`${node.kind} ${node.name}`, { object: objectOf(node), ...(detail ? { detail } : {}) });
}

/** From the managed resource down to the node itself, by parent references. */
export function pathTo(node: ResourceNode, nodes: readonly ResourceNode[]): ResourceNode[] {
  const path = [node];
  const seen = new Set([node.uid]);
  for (let current = node; ; ) {
    const parentUid = current.parentRefs?.[0]?.uid;
    const parent = nodes.find(({ uid }) => uid !== undefined && uid === parentUid);
    if (!parent || seen.has(parent.uid)) return path;
    seen.add(parent.uid);
    path.unshift(parent);
    current = parent;
  }
}

/** Numbers with their noun: `1 pod`, `2 pods`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
