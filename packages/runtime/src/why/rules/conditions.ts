// What stops an application before anything reaches a cluster: its repository, its manifests, its spec, its project.
// Each row matches the words of our engine and of Argo CD.
import type { ApplicationCondition, Explanation, Remedy } from '@fairlead/contracts';
import { act, deployedCommit, hint, link, type Rule } from '../rule.ts';

interface ConditionCause {
  readonly cause: string;
  readonly matches: RegExp;
  readonly headline: string;
  readonly remedies: readonly Remedy[];
}

const retry = act('refresh', 'Try again');

const causes: readonly ConditionCause[] = [
  {
    cause: 'credentials-refused',
    matches:
      /authentication (for repository .* failed|required|failed)|could not read Username|invalid credentials|Permission denied \(publickey/i,
    headline: 'The repository refuses the credentials of the runtime.',
    remedies: [hint('Give the runtime a token that may read the repository'), retry],
  },
  {
    cause: 'revision-not-found',
    matches: /has no revision|unable to resolve '.*' to a commit|couldn't find remote ref|unknown revision/i,
    headline: 'The branch, tag or commit it follows does not exist in the repository.',
    remedies: [hint('Push the branch, or change targetRevision'), retry],
  },
  {
    cause: 'cluster-unreachable',
    matches:
      /cluster .*(cannot be reached|unreachable|is not connected)|failed to get cluster info|error (getting|synchronizing) cluster|no cluster (named|with server)/i,
    headline: 'The target cluster cannot be reached.',
    remedies: [hint('See the cluster’s connection on the Runtimes page'), retry],
  },
  {
    cause: 'repository-unreachable',
    matches:
      /repository .* cannot be read|repository not found|could not resolve host|connection refused|failed to list refs|unable to access|i\/o timeout|context deadline exceeded/i,
    headline: 'The repository cannot be reached. What is deployed stays as it is.',
    remedies: [hint('See whether the repository still exists and its host answers'), retry],
  },
  {
    cause: 'path-not-found',
    matches: /app path does not exist|path .* does not exist/i,
    headline: 'The folder it deploys does not exist at this revision.',
    remedies: [hint('Restore the folder, or change source.path'), act('revert', 'Revert the commit')],
  },
  {
    cause: 'bad-values-file',
    matches: /values? file|values\.(ya?ml|schema\.json)|values don't meet the specifications/i,
    headline: 'A values file of the chart cannot be used.',
    remedies: [act('revert', 'Revert the commit'), hint('Correct the file named below')],
  },
  {
    cause: 'template-failed',
    matches: /template: |executing "|error calling (include|tpl|required|fail)|helm template|execution error at/i,
    headline: 'The chart’s templates fail.',
    remedies: [act('revert', 'Revert the commit'), hint('Correct the template at the line named below')],
  },
  {
    cause: 'kustomize-failed',
    matches: /kustomize build|kustomization|accumulating resources|no matches for Id/i,
    headline: 'The Kustomize build fails.',
    remedies: [act('revert', 'Revert the commit'), hint('Correct the kustomization named below')],
  },
  {
    cause: 'bad-manifest',
    matches:
      /\.(ya?ml|json)(:| line)? ?\d*|yaml: line \d+|error converting YAML|mapping values|has no "?(kind|apiVersion)/i,
    headline: 'A manifest cannot be read. Nothing was changed in the cluster.',
    remedies: [act('revert', 'Revert the commit'), hint('Correct the file at the line named below')],
  },
  {
    cause: 'unsupported-source',
    matches: /not supported yet|unsupported/i,
    headline: 'It uses something that the engine does not support.',
    remedies: [hint('See the limits of the engine in its documentation')],
  },
  {
    cause: 'project-forbids',
    matches:
      /not permitted in project|allowed destinations in project|project .* (does not exist|has )|is not permitted/i,
    headline: 'Its project does not allow it.',
    remedies: [hint('Ask who owns the project to allow it, or move the application to another project')],
  },
  {
    cause: 'would-delete-everything',
    matches: /wipe out all resources|allowEmpty/i,
    headline: 'Git has no resources for it any more; deleting everything needs your word.',
    remedies: [act('revert', 'Revert the commit'), hint('Set allowEmpty when the deletion is wanted')],
  },
  {
    cause: 'sync-window-closed',
    matches: /blocked by sync window|sync window/i,
    headline: 'A sync window keeps it from being synchronised now.',
    remedies: [hint('Wait for the window, or change it in the project')],
  },
];

/** Conditions that stop everything, in the order they matter. */
const types = ['InvalidSpecError', 'ComparisonError', 'SyncError', 'DeletionError', 'UnknownError'];

export const brokenCondition: Rule = ({ application }) => {
  const conditions = application.status?.conditions ?? [];
  const condition = types.flatMap((type) => conditions.filter((each) => each.type === type))[0];
  // A failed last sync is told by its results, which know more.
  if (!condition || /^Failed last sync attempt/i.test(condition.message)) return undefined;
  const known = causes.find(({ matches }) => matches.test(condition.message));
  return explain(condition, known ?? unknownCause(condition), deployedCommit(application));
};

function unknownCause({ type }: ApplicationCondition): Omit<ConditionCause, 'matches'> {
  if (type === 'InvalidSpecError') {
    const remedies = [hint('Correct the field named below in the Application')];
    return { cause: 'invalid-spec', headline: 'The Application itself is not valid.', remedies };
  }
  if (type === 'DeletionError') {
    return { cause: 'deletion-failed', headline: 'It cannot be deleted completely.', remedies: [retry] };
  }
  return { cause: 'comparison-failed', headline: 'It cannot be compared with Git.', remedies: [retry] };
}

function explain(
  { type, message, lastTransitionTime }: ApplicationCondition,
  { cause, headline, remedies }: Omit<ConditionCause, 'matches'>,
  actor: string | undefined,
): Explanation {
  return {
    cause,
    headline,
    ...(lastTransitionTime ? { since: lastTransitionTime } : {}),
    ...(actor && remedies.some(({ act: kind }) => kind === 'revert') ? { actor } : {}),
    chain: [link(type, { quote: message })],
    remedies: [...remedies],
  };
}
