export { changeText, manifestsYaml } from './show.ts';
export { type Located, locateFolder, OfflineRepositories } from './sources.ts';
