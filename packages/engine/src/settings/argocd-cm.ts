// `argocd-cm`, as far as this engine follows it. Pure. A key that cannot be read is told and counts as not there: one
// mistake in it must not stop the engine.
import { errorMessage } from '@fairlead/base';
import { isRecord, listAt, stringAt, valueAt } from '@fairlead/kube';
import { parseDocuments } from '@fairlead/render';
import type { ActionScripts } from '../actions/index.ts';
import type { IgnoreRule } from '../diff/index.ts';
import type { HealthScript } from '../health/index.ts';
import { byAnnotation, type KindRule, type Tracking, type TrackingMethod, trackingMethods } from '../live/index.ts';
import { parsePeriod, type Timeouts } from './poll-times.ts';

export interface EngineSettings {
  readonly healthScripts: readonly HealthScript[];
  readonly actionScripts: readonly ActionScripts[];
  readonly ignoreRules: readonly IgnoreRule[];
  /** Fields whose changes make nobody look; undefined: every change counts. */
  readonly updateRules: readonly IgnoreRule[] | undefined;
  readonly tracking: Tracking;
  readonly timeouts: Timeouts;
  /** Undefined: the defaults of Argo CD. */
  readonly exclusions?: readonly KindRule[];
  readonly inclusions?: readonly KindRule[];
  readonly problems: readonly string[];
}

type Data = Readonly<Record<string, unknown>>;

const prefix = 'resource.customizations';
const defaultTracking = byAnnotation;

export function parseSettings(data: Data): EngineSettings {
  const problems: string[] = [];
  const read = <T>(key: string, parse: (text: string) => T): T | undefined => {
    const text = data[key];
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    try {
      return parse(text);
    } catch (error) {
      problems.push(`argocd-cm: ${key}: ${errorMessage(error)}`);
      return undefined;
    }
  };
  const healthScripts = [
    ...ofKinds(data, 'health').map(({ key, ...kind }) => ({ ...kind, source: String(data[key]) })),
  ];
  const actionScripts = ofKinds(data, 'actions').flatMap(({ key, ...kind }) => {
    const scripts = read(key, parseActions);
    return scripts ? [{ ...kind, ...scripts }] : [];
  });
  const rulesOf = (what: string) =>
    ofKinds(data, what).flatMap(({ key, group, kind }): IgnoreRule[] => {
      const isAll = group === '' && kind === 'all';
      const rule = read(key, parseIgnore);
      return rule ? [{ ...(isAll ? { group: '*', kind: '*' } : { group, kind }), ...rule }] : [];
    });
  const old = read(prefix, parseOld);
  const ignoreRules = [...rulesOf('ignoreDifferences'), ...(old?.ignoreRules ?? [])];
  const compareOptions = read('resource.compareoptions', (text) => yamlOf(text, 'resource.compareoptions'));
  // Both are on in Argo CD 3 unless somebody switches them off.
  const followsDifferences = valueAt(compareOptions, 'ignoreDifferencesOnResourceUpdates') !== false;
  const updateRules = [...rulesOf('ignoreResourceUpdates'), ...(old?.updateRules ?? [])];
  const exclusions = read('resource.exclusions', parseKinds);
  const inclusions = read('resource.inclusions', parseKinds);
  return {
    healthScripts: [...healthScripts, ...(old?.healthScripts ?? [])],
    actionScripts: [...actionScripts, ...(old?.actionScripts ?? [])],
    ignoreRules,
    updateRules:
      data['resource.ignoreResourceUpdatesEnabled'] === 'false'
        ? undefined
        : [...updateRules, ...(followsDifferences ? ignoreRules : [])],
    tracking: trackingOf(data, problems),
    timeouts: {
      pollMs: read('timeout.reconciliation', parsePeriod),
      jitterMs: read('timeout.reconciliation.jitter', parsePeriod),
      hardMs: read('timeout.hard.reconciliation', parsePeriod),
    },
    ...(exclusions ? { exclusions } : {}),
    ...(inclusions ? { inclusions } : {}),
    problems,
  };
}

/** `resource.customizations.<what>.<group>_<kind>`; kinds of the core have no group. */
function ofKinds(data: Data, what: string): { key: string; group: string; kind: string }[] {
  const start = `${prefix}.${what}.`;
  return Object.keys(data)
    .filter((key) => key.startsWith(start))
    .map((key) => {
      const name = key.slice(start.length);
      const at = name.indexOf('_');
      return { key, group: at < 0 ? '' : name.slice(0, at), kind: name.slice(at + 1) };
    });
}

const yamlOf = (text: string, file: string): unknown => parseDocuments(text, file)[0];
const textsAt = (value: unknown, field: string): string[] => listAt(value, field).map(String);

function parseActions(text: string): Omit<ActionScripts, 'group' | 'kind'> {
  const value = yamlOf(text, 'actions');
  const discovery = stringAt(value, 'discovery.lua');
  if (!discovery) throw new Error('must be a map with discovery.lua and definitions');
  const definitions = listAt(value, 'definitions').map((entry) => {
    const [name, source] = [stringAt(entry, 'name'), stringAt(entry, 'action.lua')];
    if (!name || !source) throw new Error('each of the definitions needs name and action.lua');
    return { name, source };
  });
  return { discovery, definitions, mergeBuiltIn: valueAt(value, 'mergeBuiltinActions') === true };
}

function parseIgnore(text: string): Omit<IgnoreRule, 'group' | 'kind'> {
  const value = yamlOf(text, 'ignoreDifferences');
  if (!isRecord(value)) throw new Error('must be a map with jsonPointers, jqPathExpressions or managedFieldsManagers');
  return {
    jsonPointers: textsAt(value, 'jsonPointers'),
    jqPathExpressions: textsAt(value, 'jqPathExpressions'),
    managedFieldsManagers: textsAt(value, 'managedFieldsManagers'),
  };
}

type OldSettings = Pick<EngineSettings, 'healthScripts' | 'actionScripts' | 'ignoreRules'> & {
  readonly updateRules: readonly IgnoreRule[];
};

/** The older form: one map of `group/kind` to everything about it. */
function parseOld(text: string): OldSettings {
  const value = yamlOf(text, prefix);
  if (!isRecord(value)) throw new Error('must be a map of group/kind');
  const entries = Object.entries(value).map(([key, entry]) => {
    const at = key.indexOf('/');
    return { group: at < 0 ? '' : key.slice(0, at), kind: key.slice(at + 1), entry };
  });
  const rulesOf = (field: string) =>
    entries.flatMap(({ group, kind, entry }): IgnoreRule[] => {
      const rule = isRecord(entry) ? stringAt(entry, field) : undefined;
      return rule ? [{ group, kind, ...parseIgnore(rule) }] : [];
    });
  return {
    healthScripts: entries.flatMap(({ group, kind, entry }) => {
      const source = isRecord(entry) ? stringAt(entry, 'health.lua') : undefined;
      return source ? [{ group, kind, source }] : [];
    }),
    actionScripts: entries.flatMap(({ group, kind, entry }) => {
      const scripts = isRecord(entry) ? stringAt(entry, 'actions') : undefined;
      return scripts ? [{ group, kind, ...parseActions(scripts) }] : [];
    }),
    ignoreRules: rulesOf('ignoreDifferences'),
    updateRules: rulesOf('ignoreResourceUpdates'),
  };
}

function parseKinds(text: string): KindRule[] {
  const value = yamlOf(text, 'resource rules');
  if (!Array.isArray(value)) throw new Error('must be a list of {apiGroups, kinds, clusters}');
  return value.map((entry) => ({
    apiGroups: textsAt(entry, 'apiGroups'),
    kinds: textsAt(entry, 'kinds'),
    clusters: textsAt(entry, 'clusters'),
  }));
}

function trackingOf(data: Data, problems: string[]): Tracking {
  const asked = data['application.resourceTrackingMethod'];
  const known = trackingMethods.find((method): method is TrackingMethod => method === asked);
  if (asked && !known) {
    const allowed = trackingMethods.join(', ');
    problems.push(`argocd-cm: application.resourceTrackingMethod: ${String(asked)} is not known; allowed: ${allowed}`);
  }
  const labelKey = data['application.instanceLabelKey'];
  const installation = data['installationID'];
  return {
    method: known ?? defaultTracking.method,
    labelKey: typeof labelKey === 'string' && labelKey !== '' ? labelKey : defaultTracking.labelKey,
    ...(typeof installation === 'string' && installation !== '' ? { installationId: installation } : {}),
  };
}
