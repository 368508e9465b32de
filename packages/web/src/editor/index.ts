export { DiffView, TextDiff } from './diff-view.tsx';
export { manifestText } from './manifest-text.ts';
export { YamlText, YamlView } from './yaml-view.tsx';
