// values.schema.json of a chart and its subcharts, checked as Helm checks them: local references only.

import { errorMessage } from '@fairlead/base';
import { Ajv } from 'ajv';
import { RenderError } from '../errors.ts';
import { GoMap, toJsonText } from '../gotemplate/index.ts';
import type { Chart } from './chart.ts';
import { schemaFormats } from './schema-formats.ts';
import { schemaComplaints } from './schema-words.ts';

const maxSchemaBytes = 5 * 1024 * 1024;

export function validateValues(chart: Chart, values: GoMap): void {
  const complaints = complaintsOf(chart, values);
  if (complaints.length === 0) return;
  const text = `values don't meet the specifications of the schema(s) in the following chart(s):\n${complaints.join('')}`;
  throw new RenderError(text);
}

function complaintsOf(chart: Chart, values: GoMap): string[] {
  const own = chart.schema === undefined ? [] : checkOne(chart.schema, chart.metadata.name, values);
  const below = chart.dependencies.flatMap((subchart) => {
    const inner = values.entries.get(subchart.metadata.name);
    return complaintsOf(subchart, inner instanceof GoMap ? inner : new GoMap());
  });
  return [
    ...(own.length > 0 ? [`${chart.metadata.name}:\n${own.map((line) => `- ${line}\n`).join('')}`] : []),
    ...below,
  ];
}

function checkOne(source: string, name: string, values: GoMap): string[] {
  if (source.length > maxSchemaBytes)
    throw new RenderError(`${name}: values.schema.json exceeds ${maxSchemaBytes} bytes`);
  const plain: unknown = JSON.parse(toJsonText(values, { html: false }));
  try {
    const { $schema: _dialect, $id: _id, ...schema } = JSON.parse(source) as Record<string, unknown>; // dialects differ in nothing used here
    const options = { strict: false, allErrors: true, verbose: true, logger: false, formats: schemaFormats } as const;
    const check = new Ajv({ ...options, validateFormats: true }).compile(schema);
    return check(plain) ? [] : schemaComplaints(check.errors ?? []);
  } catch (cause) {
    throw new RenderError(`${name}: values.schema.json cannot be used: ${errorMessage(cause)}`, { cause });
  }
}
