// Operations that a person asks for: sync and rollback. They are begun by the `operation` field, as Argo CD's server does;
// the controller takes them up.
import {
  type Application,
  ApplicationSyncRequest,
  argoGroup,
  asApplication,
  checker,
  initiatedByInfo,
  type Operation,
} from '@fairlead/contracts';
import { isRecord, type KubeObject, listAt, retryOnConflict, stringAt, valueAt } from '@fairlead/kube';
import { adminName } from '../access/index.ts';
import { isRunning, revisionsIn, sourcesOf } from '../application/index.ts';
import type { ApiDeps } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { tell } from './tell.ts';

const checkSyncRequest = checker(ApplicationSyncRequest);

interface Asked {
  readonly body: unknown;
  readonly subject: string;
}

export const refTo = ({ namespace }: ApiDeps, name: string) => ({
  group: argoGroup,
  version: 'v1alpha1',
  kind: 'Application',
  namespace,
  name,
});

export function sync(deps: ApiDeps, application: Application, { body, subject }: Asked): Promise<KubeObject> {
  const request = checkSyncRequest(body);
  if (!request.ok)
    throw new ArgoError('InvalidArgument', request.problems.map((p) => `${p.field}: ${p.reason}`).join('; '));
  const operation = syncOperation(application, request.value, subject);
  const named = revisionsIn(operation.sync);
  const revisions = named.length > 0 ? named : sourcesOf(application).map((source) => source.targetRevision || 'HEAD');
  const partial = operation.sync?.resources?.length ? 'partial ' : '';
  return begin(deps, application, { operation, action: `initiated ${partial}sync to ${revisions.join(',')}` });
}

/**
 * Sets the `operation` field. The version is checked, so that of two callers only one succeeds; the controller, which
 * writes the status meanwhile, is no such caller.
 */
async function begin(
  deps: ApiDeps,
  application: Application,
  { operation, action }: { readonly operation: Operation; readonly action: string },
): Promise<KubeObject> {
  const ref = refTo(deps, application.metadata.name);
  const answer = await retryOnConflict(async () => {
    const current = await deps.client.get(ref);
    if (current['operation'] !== undefined || isRunning(asApplication(current).status?.operationState)) {
      throw new ArgoError('FailedPrecondition', 'another operation is already in progress');
    }
    const { resourceVersion } = current.metadata;
    return deps.client.patch(ref, { metadata: { resourceVersion }, operation }, { type: 'merge' });
  });
  const user = operation.initiatedBy?.username ?? '';
  tell(deps, application, { reason: 'OperationStarted', user, action });
  return answer;
}

export async function rollback(deps: ApiDeps, application: Application, { body, subject }: Asked): Promise<KubeObject> {
  const id = isRecord(body) ? Number(body['id']) : Number.NaN;
  const { automated } = application.spec.syncPolicy ?? {};
  if (automated && automated.enabled !== false) {
    throw new ArgoError('FailedPrecondition', 'rollback cannot be initiated when auto-sync is enabled');
  }
  const entry = application.status?.history?.find((candidate) => candidate.id === id);
  if (!entry)
    throw new ArgoError(
      'InvalidArgument',
      `application ${application.metadata.name} does not have deployment with id ${id}`,
    );
  const flags = isRecord(body) ? { prune: body['prune'] === true, dryRun: body['dryRun'] === true } : {};
  const revisions = revisionsIn(entry);
  const pinned = entry.revision ? { revision: entry.revision } : { revisions };
  const syncOptions = application.spec.syncPolicy?.syncOptions ?? [];
  const options = syncOptions.length > 0 ? { syncOptions } : {};
  const sync = { ...pinned, ...flags, ...options, syncStrategy: { apply: {} } };
  const operation = { sync, ...initiation(listAt(body, 'infos'), subject) };
  return begin(deps, application, { operation, action: `initiated rollback to ${id}` });
}

function syncOperation(application: Application, request: ApplicationSyncRequest, subject: string): Operation {
  const { revision, prune, dryRun, resources, strategy } = request;
  const syncOptions = request.syncOptions?.items ?? application.spec.syncPolicy?.syncOptions ?? [];
  const retry = valueAt(request, 'retryStrategy');
  const revisions = listAt(request, 'revisions');
  const sync = {
    ...(revision ? { revision } : {}),
    ...(revisions.length > 0 ? { revisions } : {}),
    ...(prune ? { prune } : {}),
    ...(dryRun ? { dryRun } : {}),
    ...(resources?.length ? { resources } : {}),
    ...(strategy && Object.keys(strategy).length > 0 ? { syncStrategy: strategy } : {}),
    ...(syncOptions.length > 0 ? { syncOptions } : {}),
  };
  return { sync, ...(isRecord(retry) ? { retry } : {}), ...initiation(listAt(request, 'infos'), subject) };
}

/** Our app-proxy acts for people with the engine's own key and names them in an info item; nobody else may. */
function initiation(infos: readonly unknown[], subject: string): Operation {
  const person = infos.find((info) => stringAt(info, 'name') === initiatedByInfo);
  const username = (subject === adminName && stringAt(person, 'value')) || subject;
  return { initiatedBy: { username }, ...(infos.length > 0 ? { info: infos } : {}) } as Operation; // `info` passes through the open contract
}
