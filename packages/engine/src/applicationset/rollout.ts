// Progressive syncs (`strategy.type: RollingSync`): the applications of a set are synced step by step, each step when all
// before it are healthy, and in a step not more at once than `maxUpdate`. Pure: what stands in `status.applicationStatus`
// and in the Applications decides what is next, so any process can go on with it at any time.
//
// An application that fails stays Progressing and holds back the steps after its own, as in Argo CD.
import type { Application } from '@fairlead/contracts';
import {
  isRecord,
  type KubeObject,
  type LabelSelector,
  listAt,
  matchesSelector,
  selectorOf,
  stringAt,
  valueAt,
} from '@fairlead/kube';
import { revisionsIn } from '../application/index.ts';
import { GeneratorError } from './generators.ts';

export interface ApplicationRollout {
  readonly application: string;
  readonly status: 'Waiting' | 'Pending' | 'Progressing' | 'Healthy';
  /** Counting from 1; '-1' for applications that no step selects: nobody syncs them. */
  readonly step: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly targetRevisions: readonly string[];
}

export interface Rollout {
  readonly applications: readonly ApplicationRollout[];
  /** Whose sync is to be asked for now. */
  readonly toSync: readonly string[];
  /** The first step that is not healthy yet; undefined when all are. */
  readonly step?: number;
}

export const isRolling = (set: KubeObject): boolean => stringAt(set, 'spec', 'strategy', 'type') === 'RollingSync';

interface Step {
  readonly selects: (labels: Readonly<Record<string, string>> | undefined) => boolean;
  readonly maxUpdate: unknown;
}

export function planRollout(set: KubeObject, applications: readonly Application[], now: string): Rollout {
  const steps = stepsOf(set);
  const known = new Map(
    listAt(set, 'status', 'applicationStatus').map((entry) => [stringAt(entry, 'application'), entry]),
  );
  const looked = applications.map((application) => {
    const step = steps.findIndex(({ selects }) => selects(application.metadata.labels));
    const before = known.get(application.metadata.name);
    return { application, step, state: lookAt(application, { step, before, now }) };
  });
  let open = true;
  let current: number | undefined;
  for (const [index, step] of steps.entries()) {
    const members = looked.filter((entry) => entry.step === index);
    if (open) release(members, step, now);
    if (members.some(({ state }) => state.status !== 'Healthy')) {
      if (open) current = index + 1;
      open = false;
    }
  }
  return {
    applications: looked.map(({ state }) => state),
    toSync: looked.filter(isToSync).map(({ application }) => application.metadata.name),
    ...(current === undefined ? {} : { step: current }),
  };
}

interface Looked {
  readonly application: Application;
  readonly step: number;
  state: ApplicationRollout;
}

/** Waiting members become Pending, as many as the step allows. */
function release(members: readonly Looked[], { maxUpdate }: Step, now: string): void {
  let free = limitOf(maxUpdate, members.length);
  for (const { state } of members) if (state.status === 'Pending' || state.status === 'Progressing') free--;
  for (const member of members) {
    if (member.state.status !== 'Waiting' || free <= 0 || !isKnown(member.application)) continue;
    free--;
    const message = 'Application moved to Pending status, watching for the Application resource to start Progressing.';
    member.state = { ...member.state, status: 'Pending', message, lastTransitionTime: now };
  }
}

const isToSync = ({ application, state }: Looked) => state.status === 'Pending' && !isUnderWay(application);

function lookAt(
  application: Application,
  { step, before, now }: { readonly step: number; readonly before: unknown; readonly now: string },
): ApplicationRollout {
  const targetRevisions = revisionsIn(application.status?.sync);
  const base = { application: application.metadata.name, step: String(step < 0 ? -1 : step + 1), targetRevisions };
  const status = stringAt(before, 'status') ?? '';
  const since = stringAt(before, 'lastTransitionTime') ?? now;
  const next = nextStatus(application, status, since);
  if (next) return { ...base, ...next, lastTransitionTime: now };
  return {
    ...base,
    status: status as ApplicationRollout['status'], // one of ours: others are begun anew by `nextStatus`
    message: stringAt(before, 'message') ?? '',
    lastTransitionTime: since,
  };
}

/** Undefined when it stays as it is. */
function nextStatus(
  application: Application,
  status: string,
  since: string,
): Pick<ApplicationRollout, 'status' | 'message'> | undefined {
  const isOutdated = application.status?.sync?.status === 'OutOfSync';
  const hasBegun = isUnderWay(application) || (application.status?.operationState?.startedAt ?? '') >= since;
  switch (status) {
    case 'Healthy':
      if (!isOutdated) return undefined;
      return { status: 'Waiting', message: 'Application has pending changes, setting status to Waiting.' };
    case 'Waiting':
      if (!isHealthy(application)) return undefined;
      return {
        status: 'Healthy',
        message: 'Application resource is already Healthy, updating status from Waiting to Healthy.',
      };
    case 'Pending':
      if (!hasBegun && !isHealthy(application)) return undefined;
      return {
        status: 'Progressing',
        message: 'Application resource became Progressing, updating status from Pending to Progressing.',
      };
    case 'Progressing':
      if (!isHealthy(application)) return undefined;
      return {
        status: 'Healthy',
        message: 'Application resource became Healthy, updating status from Progressing to Healthy.',
      };
    default:
      return { status: 'Waiting', message: 'No Application status found, defaulting status to Waiting.' };
  }
}

const isUnderWay = ({ operation, status }: Application) =>
  operation !== undefined ||
  status?.operationState?.phase === 'Running' ||
  status?.operationState?.phase === 'Terminating';

/** Compared at least once. */
const isKnown = ({ status }: Application) => status?.sync?.status !== undefined && status.sync.status !== 'Unknown';

function isHealthy(application: Application): boolean {
  const { health, sync, operationState } = application.status ?? {};
  const isOver = operationState === undefined || operationState.phase === 'Succeeded';
  return health?.status === 'Healthy' && sync?.status === 'Synced' && isOver && application.operation === undefined;
}

function stepsOf(set: KubeObject): Step[] {
  const at = 'spec.strategy.rollingSync.steps';
  const steps = listAt(set, 'spec', 'strategy', 'rollingSync', 'steps');
  if (steps.length === 0) throw new GeneratorError(at, 'at least one step is needed');
  return steps.map((step, index) => {
    if (!isRecord(step)) throw new GeneratorError(`${at}[${index}]`, 'must be an object');
    const matchExpressions = listAt(step, 'matchExpressions');
    for (const [number, expression] of matchExpressions.entries()) {
      const operator = stringAt(expression, 'operator') ?? '';
      if (operator === 'In' || operator === 'NotIn') continue;
      const where = `${at}[${index}].matchExpressions[${number}].operator`;
      throw new GeneratorError(where, `${JSON.stringify(operator)} is not known; allowed: In, NotIn`);
    }
    const requirements = selectorOf({ matchExpressions } as LabelSelector); // operators were checked
    return { selects: (labels) => matchesSelector(requirements, labels), maxUpdate: valueAt(step, 'maxUpdate') };
  });
}

/** A percentage of more than nothing lets at least one go; 0 leaves the step to people. */
function limitOf(maxUpdate: unknown, members: number): number {
  if (maxUpdate === undefined || maxUpdate === null) return Number.POSITIVE_INFINITY;
  const percent = typeof maxUpdate === 'string' ? /^(\d{1,3})%$/.exec(maxUpdate)?.[1] : undefined;
  if (percent !== undefined) return percent === '0' ? 0 : Math.max(1, Math.floor((members * Number(percent)) / 100));
  const limit = Number(maxUpdate);
  if (Number.isInteger(limit) && limit >= 0) return limit;
  const text = `${JSON.stringify(maxUpdate)} is neither a whole number nor a percentage`;
  throw new GeneratorError('spec.strategy.rollingSync.steps.maxUpdate', text);
}
