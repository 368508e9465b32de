import { playOnEmbeddedCluster } from './scenarios/index.ts';

playOnEmbeddedCluster('states');
