import { playOnEmbeddedCluster } from './scenarios/index.ts';

playOnEmbeddedCluster('syncs');
