// What a chart says of itself, from the Chart.yaml of its archive.
import { ArchiveTree, type ChartReference, type ChartSource, parseDocuments, RenderError } from '@fairlead/render';
import type { ChartDetails } from './answers.ts';

export async function chartDetails(
  from: ChartSource,
  chart: ChartReference,
  { signal }: { readonly signal: AbortSignal },
): Promise<ChartDetails> {
  const fetched = await from.fetch(chart, { signal });
  const tree = await ArchiveTree.of(fetched, `${chart.name}-${fetched.version}.tgz`);
  const entry = await tree.entry('Chart.yaml');
  if (!entry) throw new RenderError(`chart ${chart.name} ${fetched.version} has no Chart.yaml`);
  const [about] = parseDocuments((await tree.read(entry)).toString('utf8'), 'Chart.yaml');
  const fields = (typeof about === 'object' && about !== null ? about : {}) as Readonly<Record<string, unknown>>;
  const texts = (['description', 'home', 'appVersion'] as const).flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  const people = Array.isArray(fields['maintainers']) ? fields['maintainers'] : [];
  const maintainers = people.flatMap((each: { name?: unknown } | null) =>
    typeof each?.name === 'string' ? [each.name] : [],
  );
  return {
    ...{ name: chart.name, version: fetched.version, digest: fetched.digest },
    ...Object.fromEntries(texts),
    ...(maintainers.length > 0 ? { maintainers } : {}),
  };
}
