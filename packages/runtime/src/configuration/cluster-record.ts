// What Git says of a managed cluster, in `runtimes/<runtime>/<cluster>.yaml`: that it belongs to the runtime, and its labels and
// annotations, as YAML in two annotations of its Application so that a change of one is one line of a diff. The credentials
// are never in Git. A file from before this has neither: then the labels are not Git's.
import type { Application } from '@fairlead/contracts';
import { readManifest, writeManifest } from './manifest-text.ts';

type Texts = Readonly<Record<string, string>>;

export interface ClusterMarks {
  readonly labels?: Texts | undefined;
  readonly annotations?: Texts | undefined;
}

const labelsKey = 'fairlead.io/cluster-labels';
const annotationsKey = 'fairlead.io/cluster-annotations';

/** A map that is absent stays as it is. */
export function withClusterMarks(application: Application, { labels, annotations }: ClusterMarks): Application {
  const { metadata } = application;
  const marks = {
    ...metadata.annotations,
    ...(labels ? { [labelsKey]: writeManifest(sorted(labels)) } : {}),
    ...(annotations ? { [annotationsKey]: writeManifest(sorted(annotations)) } : {}),
  };
  const isMarked = Object.keys(marks).length > 0;
  return isMarked ? { ...application, metadata: { ...metadata, annotations: marks } } : application;
}

/** Throws for what is no map of texts, naming the Application. */
export function clusterMarksOf({ metadata }: Pick<Application, 'metadata'>): ClusterMarks {
  const read = (key: string): Texts | undefined => {
    const text = metadata.annotations?.[key];
    if (text === undefined) return undefined;
    const entries = Object.entries(readManifest(text, `${metadata.name}, annotation ${key}`));
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)])); // by hand: `tier: 1`
  };
  return { labels: read(labelsKey), annotations: read(annotationsKey) };
}

const sorted = (texts: Texts): Texts => Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
