// The limits of a restricted Git Source as a form holds them: lists as lines of text. Pure.
import {
  destinationIn,
  destinationWords,
  type GitSourceLimits,
  kindIn,
  kindWords,
  type RestrictedKind,
} from '@fairlead/contracts';

export interface LimitsForm {
  readonly repos: string;
  readonly destinations: string;
  readonly clusterKinds: string;
  readonly kinds: string;
  readonly deniedKinds: string;
}
export type LimitName = keyof LimitsForm;

export const noLimits: LimitsForm = { repos: '', destinations: '', clusterKinds: '', kinds: '', deniedKinds: '' };

export function limitsFormOf(limits: GitSourceLimits): LimitsForm {
  return {
    repos: limits.sourceRepos.join('\n'),
    destinations: limits.destinations.map(destinationWords).join('\n'),
    clusterKinds: kindLines(limits.clusterResourceWhitelist),
    kinds: kindLines(limits.namespaceResourceWhitelist),
    deniedKinds: kindLines(limits.namespaceResourceBlacklist),
  };
}

export type ReadLimits =
  | { readonly ok: true; readonly limits: GitSourceLimits }
  | { readonly ok: false; readonly problems: Partial<Record<LimitName, string>> };

/** What a form does not show (`known`) is kept. Without repositories its own one is allowed. */
export function limitsIn(form: LimitsForm, repoURL: string, known?: GitSourceLimits): ReadLimits {
  const destinations = lines(form.destinations).map((text) => ({ text, destination: destinationIn(text) }));
  const bad = destinations.find(({ destination }) => destination === undefined);
  if (bad) return refused('destinations', `${bad.text}: write cluster/namespace, as in in-cluster/team-a-*.`);
  if (destinations.length === 0) return refused('destinations', 'Say where its applications may go.');
  const repos = lines(form.repos);
  const { clusterResourceBlacklist: denied } = known ?? {};
  return {
    ok: true,
    limits: {
      sourceRepos: repos.length > 0 ? repos : [repoURL],
      destinations: destinations.flatMap(({ destination }) => (destination ? [destination] : [])),
      ...given('clusterResourceWhitelist', form.clusterKinds),
      ...given('namespaceResourceWhitelist', form.kinds),
      ...given('namespaceResourceBlacklist', form.deniedKinds),
      ...(denied ? { clusterResourceBlacklist: denied } : {}),
    },
  };
}

const fields: readonly (readonly [path: string, name: LimitName])[] = [
  ['restricted.sourceRepos', 'repos'],
  ['restricted.destinations', 'destinations'],
  ['restricted.clusterResourceWhitelist', 'clusterKinds'],
  ['restricted.namespaceResourceWhitelist', 'kinds'],
  ['restricted.namespaceResourceBlacklist', 'deniedKinds'],
];

/** The field of the form that a refusal is of, by the field that the answer names; the line from its index. */
export function limitProblem(field: string, message: string): Partial<Record<LimitName, string>> {
  const found = fields.find(([path]) => field === path || field.startsWith(`${path}.`));
  if (!found) return {};
  const [path, name] = found;
  const index = /^\.(\d+)/.exec(field.slice(path.length))?.[1];
  const said = message.startsWith(field) ? message.slice(field.length).replace(/^[:\s]+/, '') : message;
  return { [name]: index === undefined ? said : `Line ${Number(index) + 1}: ${said}` };
}

const refused = (name: LimitName, problem: string): ReadLimits => ({ ok: false, problems: { [name]: problem } });
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const kindLines = (kinds: readonly RestrictedKind[] = []): string => kinds.map(kindWords).join('\n');
const given = (name: string, text: string) => (lines(text).length > 0 ? { [name]: lines(text).map(kindIn) } : {});
