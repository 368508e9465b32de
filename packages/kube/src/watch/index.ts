export { Informer, type InformerOptions, type InformerStats, type ObjectChange } from './informer.ts';
