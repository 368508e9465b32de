export { type ChartFile, readArchive } from './archive.ts';
export { ArchiveTree } from './archive-tree.ts';
export { ChartRepositories } from './chart-repositories.ts';
export {
  type ChartReference,
  type ChartRepository,
  type ChartSource,
  chartOfSource,
  type FetchedChart,
  type ResolvedChart,
  type UsedChart,
} from './chart-source.ts';
export { limitedCharts } from './limited-charts.ts';
export { stillTakes, TracedCharts } from './traced-charts.ts';
