// Every setting of an Application that the form knows, in the order people fill them in. What it does not know stays in the
// YAML.
import { isMap } from 'yaml';
import { isSet, type ManifestDocument, removeAt, setAt, textAt, textsAt } from './manifest-document.ts';
import {
  type AnySetting,
  block,
  type CheckSetting,
  type ChoiceSetting,
  check,
  lines,
  neededText,
  number,
  option,
  optionChoice,
  pairs,
  type TextSetting,
  text,
} from './settings.ts';

const source = ['spec', 'source'] as const;
const destination = ['spec', 'destination'] as const;
const automated = ['spec', 'syncPolicy', 'automated'] as const;
const retry = ['spec', 'syncPolicy', 'retry'] as const;
const finalizers = ['metadata', 'finalizers'] as const;

export interface SettingSection {
  readonly title: string;
  readonly settings: readonly AnySetting[];
  /** Folded until somebody wants it, or it has something to show. */
  readonly isFolded?: boolean;
}

/** Which fields make sense depends on what the manifest is. */
export function sectionsOf(document: ManifestDocument): readonly SettingSection[] {
  return [
    { title: 'Application', settings: [name, project] },
    ...(isMultiSource(document) ? [] : [{ title: 'Source', settings: sourceSettings(document) }]),
    { title: 'Destination', settings: [clusterBy, ...clusterSettings(document), createNamespace] },
    { title: 'Synchronization', settings: [autoSync, ...(isAutomated(document) ? [prune, selfHeal] : [])] },
    { title: 'Sync options', settings: syncOptions, isFolded: true },
    { title: 'Retry', settings: retrySettings, isFolded: true },
    ...(isMultiSource(document)
      ? []
      : [{ title: 'Rendering', settings: [tool, ...toolSettings[toolOf(document)]], isFolded: true }]),
    { title: 'Product and deletion', settings: [product, groups, deletion], isFolded: true },
  ];
}

export const isMultiSource = (document: ManifestDocument): boolean => isSet(document, ['spec', 'sources']);

const name = neededText(['metadata', 'name'], { label: 'Name', placeholder: 'shop-dev' });
const project = neededText(['spec', 'project'], { label: 'Project', placeholder: 'default' });

const isChart = (document: ManifestDocument): boolean => document.hasIn([...source, 'chart']);
const sourceKind: ChoiceSetting = {
  ...{ kind: 'choice', label: 'Kind of source', field: 'spec.source' },
  options: [
    { value: 'git', label: 'Git repository' },
    { value: 'chart', label: 'Helm repository' },
  ],
  read: (document) => (isChart(document) ? 'chart' : 'git'),
  write: (document, value) => {
    const [gone, comes] = value === 'chart' ? ['path', 'chart'] : ['chart', 'path'];
    if (document.hasIn([...source, comes])) return;
    document.deleteIn([...source, gone]);
    setAt(document, [...source, comes], '');
  },
};
const repository = neededText([...source, 'repoURL'], {
  ...{ label: 'Repository', placeholder: 'https://github.com/acme/shop.git' },
});
const revision = neededText([...source, 'targetRevision'], { label: 'Revision', placeholder: 'main' });
const version = neededText([...source, 'targetRevision'], { label: 'Version', placeholder: '1.2.* or 1.2.3' });
const path = neededText([...source, 'path'], { label: 'Path', placeholder: 'dev' });
const chart = neededText([...source, 'chart'], { label: 'Chart', placeholder: 'shop' });

const sourceSettings = (document: ManifestDocument): readonly AnySetting[] =>
  isChart(document) ? [sourceKind, repository, chart, version] : [sourceKind, repository, revision, path];

const isByName = (document: ManifestDocument): boolean => document.hasIn([...destination, 'name']);
const clusterBy: ChoiceSetting = {
  ...{ kind: 'choice', label: 'Cluster by', field: 'spec.destination' },
  options: [
    { value: 'server', label: 'URL' },
    { value: 'name', label: 'Name' },
  ],
  read: (document) => (isByName(document) ? 'name' : 'server'),
  write: (document, value) => {
    const gone = value === 'name' ? 'server' : 'name';
    if (document.hasIn([...destination, value])) return;
    document.deleteIn([...destination, gone]);
    setAt(document, [...destination, value], '');
  },
};
const server = neededText([...destination, 'server'], {
  ...{ label: 'Cluster', placeholder: 'https://kubernetes.default.svc' },
});
const clusterName = neededText([...destination, 'name'], { label: 'Cluster', placeholder: 'in-cluster' });
const namespace = neededText([...destination, 'namespace'], { label: 'Namespace', placeholder: 'shop-dev' });
const clusterSettings = (document: ManifestDocument): readonly AnySetting[] => [
  isByName(document) ? clusterName : server,
  namespace,
];

const isAutomated = (document: ManifestDocument): boolean =>
  document.hasIn(automated) && document.getIn([...automated, 'enabled']) !== false;
const autoSync: CheckSetting = {
  ...{ kind: 'check', label: 'Auto-sync', hint: 'Follows Git by itself.', field: automated.join('.') },
  read: isAutomated,
  write: (document, isOn) => {
    if (!isOn) removeAt(document, automated);
    else if (!isMap(document.getIn(automated, true))) setAt(document, automated, { prune: false, selfHeal: false });
    else if (isSet(document, [...automated, 'enabled'])) setAt(document, [...automated, 'enabled'], true);
  },
};
const prune = check([...automated, 'prune'], { label: 'Prune', hint: 'Deletes what is no longer in Git.' });
const selfHeal = check([...automated, 'selfHeal'], {
  label: 'Self-heal',
  hint: 'Takes back changes made in the cluster.',
});

const createNamespace = option('CreateNamespace', { label: 'Make the namespace', hint: 'When it is not there.' });
const syncOptions: readonly AnySetting[] = [
  option(
    'Validate',
    { label: 'Skip schema validation', hint: 'Applies what the cluster would refuse to check.' },
    'false',
  ),
  option('PruneLast', { label: 'Prune last', hint: 'After everything else is healthy.' }),
  option('ApplyOutOfSyncOnly', { label: 'Only what differs', hint: 'Leaves alone what is in sync.' }),
  option('ServerSideApply', {
    label: 'Server-side apply',
    hint: 'The cluster merges, and knows who owns which field.',
  }),
  option('Replace', { label: 'Replace', hint: 'Instead of applying; may restart what runs.' }),
  option('RespectIgnoreDifferences', {
    label: 'Respect ignored differences',
    hint: 'Does not write over ignored fields.',
  }),
  optionChoice('PrunePropagationPolicy', { label: 'How pruning deletes' }, [
    { value: '', label: 'Foreground (default)' },
    { value: 'foreground', label: 'Foreground' },
    { value: 'background', label: 'Background' },
    { value: 'orphan', label: 'Orphan' },
  ]),
];

const retrySettings: readonly AnySetting[] = [
  number([...retry, 'limit'], { label: 'Tries', placeholder: '5', hint: 'Less than 0 means without end.' }),
  text([...retry, 'backoff', 'duration'], { label: 'First wait', placeholder: '5s' }),
  text([...retry, 'backoff', 'maxDuration'], { label: 'Longest wait', placeholder: '3m' }),
  number([...retry, 'backoff', 'factor'], { label: 'Factor', placeholder: '2' }),
];

const tools = ['directory', 'helm', 'kustomize', 'plugin'] as const;
type Tool = (typeof tools)[number] | 'detected';
const toolOf = (document: ManifestDocument): Tool =>
  tools.find((each) => document.hasIn([...source, each])) ?? 'detected';
const tool: ChoiceSetting = {
  ...{ kind: 'choice', label: 'Rendered by', field: 'spec.source' },
  options: [
    { value: 'detected', label: 'What the folder is' },
    { value: 'directory', label: 'Plain manifests' },
    { value: 'helm', label: 'Helm' },
    { value: 'kustomize', label: 'Kustomize' },
    { value: 'plugin', label: 'Plugin' },
  ],
  read: toolOf,
  write: (document, value) => {
    const before = toolOf(document);
    if (before === value) return;
    for (const each of tools) document.deleteIn([...source, each]);
    if (value !== 'detected') setAt(document, [...source, value], {});
  },
};
const toolSettings: Record<Tool, readonly AnySetting[]> = {
  detected: [],
  directory: [
    check([...source, 'directory', 'recurse'], { label: 'With folders below', hint: 'Reads manifests at any depth.' }),
    pairs([...source, 'directory', 'jsonnet', 'tlas'], { label: 'Top-level arguments', placeholder: 'name=value' }),
    pairs([...source, 'directory', 'jsonnet', 'extVars'], { label: 'External variables', placeholder: 'name=value' }),
  ],
  helm: [
    lines([...source, 'helm', 'valueFiles'], { label: 'Value files', placeholder: 'values-prod.yaml' }),
    block([...source, 'helm', 'values'], { label: 'Values', placeholder: 'replicas: 2' }),
  ],
  kustomize: [
    text([...source, 'kustomize', 'version'], { label: 'Version', placeholder: 'v5.7.1' }),
    text([...source, 'kustomize', 'namePrefix'], { label: 'Name prefix', placeholder: 'eu-' }),
    text([...source, 'kustomize', 'nameSuffix'], { label: 'Name suffix', placeholder: '-v2' }),
  ],
  plugin: [
    text([...source, 'plugin', 'name'], { label: 'Plugin', placeholder: 'cue' }),
    pairs([...source, 'plugin', 'env'], { label: 'Environment', placeholder: 'NAME=value' }),
  ],
};

const product = annotation('product', { label: 'Product', placeholder: 'shop' });
const groups = annotation('app-group', { label: 'Groups', placeholder: 'web, payments' });

/** Under the name it has in the manifest already; a new one is written under ours. */
function annotation(key: string, described: { readonly label: string; readonly placeholder: string }): TextSetting {
  const at = (document: ManifestDocument) => {
    const names = [`fairlead.io/${key}`, `codefresh.io/${key}`] as const;
    const used = names.find((each) => document.hasIn(['metadata', 'annotations', each])) ?? names[0];
    return ['metadata', 'annotations', used];
  };
  const plain = text(['metadata', 'annotations', `fairlead.io/${key}`], described);
  return {
    ...plain,
    read: (document) => textAt(document, at(document)),
    write: (document, value) =>
      value === '' ? removeAt(document, at(document)) : setAt(document, at(document), value),
  };
}

const finalizer = 'resources-finalizer.argocd.argoproj.io';
const propagations = { foreground: finalizer, background: `${finalizer}/background` } as const;
const deletion: ChoiceSetting = {
  ...{ kind: 'choice', label: 'When the application is deleted', field: finalizers.join('.') },
  options: [
    { value: 'none', label: 'Leave its resources' },
    { value: 'foreground', label: 'Delete its resources first' },
    { value: 'background', label: 'Delete its resources in the background' },
  ],
  read: (document) => {
    const found = textsAt(document, finalizers).find((each) => each.startsWith(finalizer));
    if (found === undefined) return 'none';
    return found === propagations.background ? 'background' : 'foreground';
  },
  write: (document, value) => {
    if (deletion.read(document) === value) return;
    const own = value === 'foreground' || value === 'background' ? [propagations[value]] : [];
    const others = textsAt(document, finalizers).filter((each) => !each.startsWith(finalizer));
    removeAt(document, finalizers);
    const wanted = [...own, ...others];
    if (wanted.length > 0) setAt(document, finalizers, wanted);
  },
};
