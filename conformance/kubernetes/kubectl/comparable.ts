// What differs by nature between two clusters (times, ages, uids, versions, addresses, random names, prose, the node's own
// events) becomes placeholders; everything else must be the same.

const rules: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000/g, '<time>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/https:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\b10\.(96|244)\.\d+\.\d+\b/g, '<ip>'],
  [/(:|nodePort: |"nodePort": ?|NodePort:.*\s)3\d{4}\b/g, '$1<port>'],
  [/(resourceVersion"?: ?"?|Resource Version: +)\d+/g, '$1<version>'],
  [/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} \+0000 UTC/g, '<time>'],
  [/\.18[0-9a-f]{14}\b/g, '.<id>'],
  [/\b(controller-uid[=:] ?)\S+/g, '$1<uid>'],
  // Names that controllers make: a hash of the template, then five random letters of the same alphabet.
  [/-[bcdfghjklmnpqrstvwxz2456789]{7,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<hash>-<random>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, '-<hash>'],
  [/(pod-template-hash"?[=:] ?"?)[bcdfghjklmnpqrstvwxz2456789]+/g, '$1<hash>'],
  [/(-)[bcdfghjklmnpqrstvwxz2456789]{5}\b(?=[\s,"'/)]|$)/gm, '$1<random>'],
  // The first seconds of a life are told as they pass.
  [/(?<=^|[\s(])\d+(ms|s|m|m\d+s)(?=[\s)]|$)/gm, '<age>'],
  [/<age>( ago)?( \(x\d+ over <age>\))/g, '<age>$1'],
  [/\b\d+ seconds?\b(?= ago)/g, '<age>'],
  [/ +$/gm, ''],
  [/ {2,}/g, '  '],
];

/** How Go tells two structs apart is nobody's contract. */
const structDifference = /\s+core\.PodSpec\{[\s\S]*\n\s*\}\s*/g;
const logPrefix = /^[WEI]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+ /gm;

/** Whole objects are shown with versions and in an order of Go's own. */
const shownObject = /(Invalid value: )"\{.*\}"(?=: )/gs;

const nodeEvents = /^.*\b(kubelet|default-scheduler|node-controller)\b.*$\n?/gm;

export function comparableText(text: string, run: string): string {
  const kept = /\bexplain\b/.test(run) ? withoutProse(text) : text;
  const own = /\bdescribe\b|\bevents?\b/.test(run) ? withoutNodeEvents(kept) : kept;
  const told = /\brollout status\b/.test(run) ? own.replace(/^Waiting for .*\n/gm, '') : own;
  const plain = told.replace(structDifference, '\n').replace(shownObject, '$1<value>').replace(logPrefix, '');
  return withSortedEvents(rules.reduce((result, [form, replacement]) => result.replace(form, replacement), plain));
}

/** Names and types are facts; sentences are somebody's. */
const withoutProse = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^(GROUP|KIND|VERSION|FIELD|RESOURCE):|^ *[\w$-]+\t<|^error:|^ENUM/.test(line))
    .join('\n');

/** Whose node it is shows in its events; a table without rows is no table. */
const withoutNodeEvents = (text: string) =>
  text.replace(nodeEvents, '').replace(/^Events:\n +Type .*\n +---- .*\n(?! )/gm, 'Events:  <none>\n');

/** Events of one second come in any order. */
const withSortedEvents = (text: string) =>
  text.replace(/(^ +---- .*\n)((?: +(?:Normal|Warning) .*\n)+)/gm, (_all, head: string, rows: string) => {
    const told = rows.split('\n').filter((row) => row !== '');
    return `${head}${told.sort().join('\n')}\n`;
  });
