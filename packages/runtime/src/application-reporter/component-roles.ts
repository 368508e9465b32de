import type { RuntimeComponent } from '@fairlead/contracts';

/** What each component is there for, in the words that people read. */
export const componentRoles: Readonly<Record<RuntimeComponent, string>> = {
  cluster: 'the Kubernetes that the other components live in',
  engine: 'reconciles Git to clusters',
  'source-server': 'reads repositories and renders, for the other components',
  'app-proxy': "the runtime's own API: acts and commits for people",
  'request-router': 'passes requests to the components of the runtime',
  'tunnel-client': 'keeps the tunnel to the platform open',
  'application-reporter': 'reports applications, clusters and Git Sources to the platform',
  'resource-reporter': 'reports Rollouts, ReplicaSets, AnalysisRuns and Workflows to the platform',
  'change-revision': 'finds the commit that changed each application',
};
