export { type ChartFile, readArchive } from './archive.ts';
export { ArchiveTree } from './archive-tree.ts';
export { ChartRepositories } from './chart-repositories.ts';
export type {
  ChartReference,
  ChartRepository,
  ChartSource,
  FetchedChart,
  ResolvedChart,
  UsedChart,
} from './chart-source.ts';
export { stillTakes, TracedCharts } from './traced-charts.ts';
