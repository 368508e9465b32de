// What brought an application into the cluster, and the repositories that hold its manifest therefore. Pure. Reports and
// the app-proxy's judgement by Git rights go by the same functions.
import { type Application, trackingIdAnnotation } from '@fairlead/contracts';
import { redactUrl } from '@fairlead/git';

interface Tracked {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

/** Argo CD's tracking says which application brought this object: `demo:argoproj.io/Application:argocd/web`. */
export function parentOf({ metadata }: Tracked): { name: string; namespace?: string } | undefined {
  const tracked = metadata.annotations?.[trackingIdAnnotation]?.split(':')[0];
  const text = tracked ?? metadata.labels?.['app.kubernetes.io/instance'];
  if (!text || text === metadata.name) return undefined;
  const [first = '', second] = text.split('_'); // namespace_name for an application outside the engine's namespace
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

/** The name of the ApplicationSet that generates it, in its own namespace. */
export function generatorOf(application: Application): string | undefined {
  const { ownerReferences = [] } = application.metadata as { ownerReferences?: { kind?: string; name?: string }[] };
  return ownerReferences.find(({ kind }) => kind === 'ApplicationSet')?.name;
}

/** Where an application takes manifests from: a chart holds none of Applications. Without user names and passwords, sorted. */
export function repositoriesOf({ spec }: Pick<Application, 'spec'>): string[] {
  const sources = spec.sources ?? (spec.source ? [spec.source] : []);
  return [...new Set(sources.filter(({ chart }) => !chart).map(({ repoURL }) => redactUrl(repoURL)))].sort();
}
