import { readFileSync } from 'node:fs';

/** From our own package.json, so that it cannot disagree with what was installed. */
export function cliVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
