/** What each component is there for, in the words that people read. */
export const componentRoles: Readonly<Record<string, string>> = {
  engine: 'reconciles Git to clusters',
  'application-reporter': 'reports applications, clusters and Git Sources to the platform',
  'source-server': 'reads repositories and renders, for the other components',
  'app-proxy': "the runtime's own API: acts and commits for people",
  'request-router': 'passes requests to the components of the runtime',
};
