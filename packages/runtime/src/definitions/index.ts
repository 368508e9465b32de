export { generatorOf, parentOf, repositoriesOf } from './bringer.ts';
export { type Definition, findDefinition, type Home, type HomeDeps, nameOf, openGitSource } from './home.ts';
export { examine } from './preview.ts';
export { gitSourceProblems } from './project-rules.ts';
export { checkShape, readApplication, readDocuments } from './read-application.ts';
export { withoutApplication } from './remove-document.ts';
export { planRestoration, type Restoration, releaseOf } from './rollback.ts';
