import { fromJson } from '../gotemplate/index.ts';
import type { Manifest } from '../manifest.ts';
import { toYaml } from './yaml-writer.ts';

/** As Go writes it: keys in order, and text quoted wherever Kubernetes would read something else. */
export const manifestText = (manifest: Manifest): string => toYaml(fromJson(manifest));
