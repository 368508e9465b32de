import { readFileSync } from 'node:fs';
import { manifestFile } from './own-files.ts';

/** From our own package.json, so that it cannot disagree with what was installed. */
export function cliVersion(): string {
  return (JSON.parse(readFileSync(manifestFile, 'utf8')) as { version: string }).version;
}
