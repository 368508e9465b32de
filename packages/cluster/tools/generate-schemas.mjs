// Makes src/schema/built-in.gen.ts from what a running kube-apiserver tells under /openapi/v3: types, defaults, list and
// map kinds of every built-in object. Descriptions are left out; what remains are facts of an Apache-2.0 program.
// Usage: node tools/generate-schemas.mjs <url> <bearer token>
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';

const [url, token] = process.argv.slice(2);
const read = (path) =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false };
    request(`${url}${path}`, options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(JSON.parse(text));
    })
      .on('error', reject)
      .end();
  });

const prefix = '#/components/schemas/';

/** Without descriptions; a reference that stands alone in `allOf` stands alone without it. */
function compact({
  description: _text,
  allOf,
  $ref = allOf?.[0]?.$ref,
  properties,
  items,
  additionalProperties,
  ...rest
}) {
  return {
    ...rest,
    ...($ref ? { $ref: $ref.slice(prefix.length) } : {}),
    ...(properties ? { properties: mapValues(properties, compact) } : {}),
    ...(items ? { items: compact(items) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: compact(additionalProperties) } : {}),
  };
}

const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

const { paths } = await read('/openapi/v3');
const schemas = {};
for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
  if (!/^apis?\//.test(path)) continue;
  const { components = {} } = await read(serverRelativeURL);
  for (const [name, schema] of Object.entries(components.schemas ?? {})) schemas[name] = compact(schema);
}
const rows = Object.entries(schemas)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schema)},`);
const text = [
  '// Made by tools/generate-schemas.mjs from the OpenAPI v3 of kube-apiserver v1.32.0 (Apache-2.0). Not edited by hand.',
  "import type { Schema } from './schema.ts';",
  '',
  'export const builtInSchemas: Readonly<Record<string, Schema>> = {',
  ...rows,
  '};',
  '',
].join('\n');
writeFileSync(new URL('../src/schema/built-in.gen.ts', import.meta.url), text);
console.log(`${rows.length} schemas, ${text.length} bytes`);
