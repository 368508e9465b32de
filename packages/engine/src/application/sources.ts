// An application has one source or several. Its status, history and results hold `source` and `revision` in one case,
// `sources` and `revisions` in the other; this is the only place that knows which. Pure.
import type { Application, ApplicationSource } from '@fairlead/contracts';
import { equalJson, listAt, valueAt } from '@fairlead/kube';
import type { LoadedSources } from '@fairlead/render';

export const isMultiSource = (application: Application): boolean => listAt(application, 'spec', 'sources').length > 0;

/** Also of an Application that nobody has checked: what is no source is left out, for others are asked in the same breath. */
export function sourcesOf(application: Application): readonly ApplicationSource[] {
  const several = listAt(application, 'spec', 'sources');
  const given = several.length > 0 ? several : [valueAt(application, 'spec', 'source')];
  return given.filter((source): source is ApplicationSource => typeof valueAt(source, 'repoURL') === 'string');
}

/** As results and history record what was deployed. */
export function sourceFields(application: Application): { source?: ApplicationSource; sources?: ApplicationSource[] } {
  const { source, sources } = application.spec;
  if (sources && isMultiSource(application)) return { sources };
  return source ? { source } : {};
}

export function revisionFields({ revisions, isMulti }: Pick<LoadedSources, 'revisions' | 'isMulti'>): {
  revision?: string;
  revisions?: string[];
} {
  return isMulti ? { revisions: [...revisions] } : { revision: revisions[0] ?? '' };
}

/** What an operation, a result or an entry of the history names, by position; empty where nothing is pinned. */
export function revisionsIn(record: unknown): readonly string[] {
  const several = listAt(record, 'revisions').filter((revision) => typeof revision === 'string');
  if (several.length > 0) return several;
  const one = valueAt(record, 'revision');
  return typeof one === 'string' && one !== '' ? [one] : [];
}

/** For messages. */
export const revisionText = ({ revisions }: Pick<LoadedSources, 'revisions'>): string => revisions.join(', ');

/** Whether a record is about the sources the application has now. */
export function isOfSameSources(record: unknown, application: Application): boolean {
  const own = sourceFields(application);
  return equalJson(valueAt(record, 'source'), own.source) && equalJson(valueAt(record, 'sources'), own.sources);
}
