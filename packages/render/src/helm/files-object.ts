// .Files: the files of a chart that are no templates. Nothing outside the chart can be named.
import picomatch from 'picomatch';
import type { ChartFile } from '../charts/index.ts';
import { define, GoInt, GoMap, GoSlice, strings, text } from '../gotemplate/index.ts';
import { toYaml } from './yaml-writer.ts';

export function filesObject(files: readonly ChartFile[]): GoMap {
  const byName = new Map(files.map(({ name, content }) => [name, content]));
  const contentOf = (name: string): Buffer => byName.get(name) ?? Buffer.alloc(0);
  return new GoMap(
    files.map(({ name, content }) => [name, bytes(content)] as const),
    'engine.files',
    {
      Get: define('string', ([name]) => contentOf(text(name)).toString('utf8')),
      GetBytes: define('string', ([name]) => bytes(contentOf(text(name)))),
      Glob: define('string', ([pattern]) => filesObject(matching(files, text(pattern)))),
      Lines: define('string', ([name]) => lines(contentOf(text(name)).toString('utf8'))),
      AsConfig: define('', () => asYaml(files, (content) => content.toString('utf8'))),
      AsSecrets: define('', () => asYaml(files, (content) => content.toString('base64'))),
    },
  );
}

const bytes = (content: Buffer): GoSlice =>
  new GoSlice(() => [...content].map((byte) => new GoInt(BigInt(byte), 'uint8')), 'uint8');

/** gobwas/glob with slashes as separators: `*` stays in a folder, `**` does not. */
function matching(files: readonly ChartFile[], pattern: string): ChartFile[] {
  const isMatch = picomatch(pattern, { dot: true, noextglob: true });
  const spanning = pattern.includes('**')
    ? picomatch(pattern.replaceAll('**', '**/*'), { dot: true, noextglob: true })
    : isMatch;
  return files.filter(({ name }) => isMatch(name) || spanning(name));
}

function lines(content: string): GoSlice {
  if (content === '') return strings([]);
  const all = content.split('\n');
  return strings(content.endsWith('\n') ? all.slice(0, -1) : all);
}

function asYaml(files: readonly ChartFile[], shown: (content: Buffer) => string): string {
  if (files.length === 0) return '';
  const map = new GoMap(files.map(({ name, content }) => [name.split('/').at(-1) ?? '', shown(content)] as const));
  return toYaml(map).replace(/\n$/, '');
}
