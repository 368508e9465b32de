// What an Application is for, beside deploying: the ones that Fairlead itself keeps in Git carry it as a label. The
// same label in the group `codefresh.io` is read too, so that what was made elsewhere keeps its meaning.

export const entityLabel = 'fairlead.io/entity';
export const internalLabel = 'fairlead.io/internal';
const foreignEntityLabel = 'codefresh.io/entity';

/**
 * On an AppProject: whoever is in it may bring nothing but Applications of the project that this names. On a Git Source: the
 * project that its applications are kept in.
 */
export const applicationsProjectAnnotation = 'fairlead.io/applications-project';

export const applicationEntities = ['git-source', 'internal-config', 'runtime'] as const;
export type ApplicationEntity = (typeof applicationEntities)[number];

/** Undefined for what people deploy. */
export function entityOf(labels: Readonly<Record<string, string>> | undefined): ApplicationEntity | undefined {
  const value = labels?.[entityLabel] ?? labels?.[foreignEntityLabel];
  return applicationEntities.find((entity) => entity === value);
}
