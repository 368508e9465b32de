// The work of `fairlead validate`.
import { ApplicationSpec, checker } from '@fairlead/contracts';
import { type Manifest, manifestsOfText } from '@fairlead/render';
import { readInput } from '../input.ts';
import { plain } from '../output/index.ts';

const namePattern = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

export async function runValidate(file: string): Promise<void> {
  const manifests = manifestsOfText(await readInput(file), file === '-' ? 'standard input' : file);
  const problems = manifests.flatMap(problemsOf);
  for (const problem of problems) process.stdout.write(`${plain(problem)}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(`${manifests.length} object${manifests.length === 1 ? '' : 's'}, nothing wrong\n`);
}

function problemsOf(manifest: Manifest): string[] {
  const { apiVersion, kind, metadata } = manifest;
  const title = `${kind} ${metadata.name}`;
  if (kind !== 'Application' || !apiVersion.startsWith('argoproj.io/')) return [];
  const problems = namePattern.test(metadata.name) ? [] : [`${title}: metadata.name is not a DNS name`];
  const checked = checker(ApplicationSpec)(manifest['spec']);
  if (!checked.ok)
    return [...problems, ...checked.problems.map(({ field, reason }) => `${title}: spec.${field} ${reason}`)];
  const { source, sources = [] } = checked.value;
  if (!source && sources.length === 0) problems.push(`${title}: spec names neither source nor sources`);
  for (const each of sources.length > 0 ? sources : source ? [source] : []) {
    if (each.path === undefined && each.chart === undefined && each.ref === undefined)
      problems.push(`${title}: source of ${each.repoURL} has neither path, chart nor ref`);
  }
  const { server, name } = checked.value.destination;
  if (server && name) problems.push(`${title}: destination has both server and name; it may have only one`);
  return problems;
}
