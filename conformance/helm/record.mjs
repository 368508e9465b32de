// Records what a real Helm makes of each case: `HELM=<path of the program> node record.mjs`, in this folder.
// Writes testdata/recorded-<version>.json; machine paths do not get into it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const helm = process.env.HELM ?? 'helm';
const here = join(import.meta.dirname, 'testdata');
const version = /Version:"v([^"]+)"/.exec(execFileSync(helm, ['version'], { encoding: 'utf8' }))?.[1];
const temporary = mkdtempSync(join(tmpdir(), 'helm-record-'));

function escapedCommas(value) {
  if (value.startsWith('{') && value.endsWith('}')) return value;
  return value.replace(/([^\\]),/g, '$1\\,');
}

/** The command line that Argo CD would run for `spec.source.helm`. */
function argumentsOf({ chart, helm: spec, target }) {
  const folder = join(here, 'charts', chart);
  const args = ['template', spec.releaseName ?? target.releaseName, '.', '--namespace', target.namespace];
  for (const file of spec.valueFiles ?? []) {
    if (!(spec.ignoreMissingValueFiles && file === 'nope.yaml')) args.push('--values', file);
  }
  const inline = spec.valuesObject ? JSON.stringify(spec.valuesObject) : spec.values;
  if (inline) {
    writeFileSync(join(temporary, 'inline.yaml'), inline);
    args.push('--values', join(temporary, 'inline.yaml'));
  }
  for (const { name, value, forceString } of spec.parameters ?? []) {
    args.push(forceString ? '--set-string' : '--set', `${name}=${escapedCommas(value)}`);
  }
  for (const { name, path } of spec.fileParameters ?? []) args.push('--set-file', `${name}=${path}`);
  if (!spec.skipCrds) args.push('--include-crds');
  if (spec.skipTests) args.push('--skip-tests');
  if (spec.skipSchemaValidation) args.push('--skip-schema-validation');
  if (spec.kubeVersion) args.push('--kube-version', spec.kubeVersion);
  for (const api of spec.apiVersions ?? []) args.push('--api-versions', api);
  return { folder, args };
}

const entries = JSON.parse(readFileSync(join(here, 'cases.json'), 'utf8')).map((entry) => {
  const { folder, args } = argumentsOf(entry);
  const { stdout, stderr, status } = spawnSync(helm, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return { name: entry.name, output: stdout };
  return {
    name: entry.name,
    error: stderr.replaceAll(temporary, '').split('\n\nUse --debug')[0].trim().slice(0, 2000),
  };
});
rmSync(temporary, { recursive: true });
writeFileSync(
  join(here, `recorded-${version}.json`),
  `${JSON.stringify({ tool: `helm ${version}`, entries }, null, 1)}\n`,
);
console.log(`helm ${version}: ${entries.length} cases, ${entries.filter(({ error }) => error).length} of them errors`);
