import { FairleadError } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube';
import type { Command } from 'commander';
import { readInput, yamlIn } from '../input.ts';
import { parseFormat, plain, render } from '../output/index.ts';

interface Flags {
  readonly file: string;
  readonly settings?: string;
  readonly output: string;
}

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('how well objects are, as the engine judges them; nothing is asked of a server')
    .requiredOption('-f, --file <file>', 'YAML or JSON with one or more live objects; - reads standard input')
    .option('--settings <file>', 'a ConfigMap argocd-cm whose Lua scripts count')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (flags: Flags) => {
      const format = parseFormat(flags.output);
      const objects = await readObjects(flags.file);
      const settings = flags.settings ? (await readObjects(flags.settings, '--settings'))[0] : undefined;
      const { judgeObjects } = await import('@fairlead/engine');
      const verdicts = await judgeObjects(objects, settings);
      const items = objects.map(({ apiVersion, kind, metadata: { namespace, name } }, index) => {
        const verdict = verdicts[index];
        const message = verdict ? (verdict.message ?? '') : `${kind} has no health check`;
        const place = { apiVersion, kind, ...(namespace ? { namespace } : {}), name };
        return { ...place, status: verdict?.status ?? null, message };
      });
      const columns = [
        { title: 'KIND', value: (item: (typeof items)[number]) => item.kind },
        { title: 'NAME', value: (item: (typeof items)[number]) => plain(item.name) },
        { title: 'STATUS', value: (item: (typeof items)[number]) => item.status ?? '-' },
        { title: 'MESSAGE', value: (item: (typeof items)[number]) => plain(item.message) },
      ];
      process.stdout.write(render(format, items.length === 1 ? items[0] : items, items, columns));
    });
}

async function readObjects(file: string, flag = '--file'): Promise<KubeObject[]> {
  const objects = yamlIn(await readInput(file, flag), file, flag).filter(
    (document) => document !== null && document !== undefined,
  );
  const isObject = (value: unknown): value is KubeObject => {
    const { apiVersion, kind, metadata } = value as Partial<KubeObject>;
    return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata === 'object';
  };
  if (objects.length === 0)
    throw new FairleadError(
      'bad_input',
      `${flag} ${file}: holds no object; give one with apiVersion, kind and metadata`,
    );
  return objects.map((object, index) => {
    if (isObject(object)) return object;
    throw new FairleadError('bad_input', `${flag} ${file}: document ${index + 1} needs apiVersion, kind and metadata`);
  });
}
