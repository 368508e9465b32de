import type { ApplicationDetail, ResourceReport } from '@fairlead/contracts';
import type { Command } from 'commander';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';

const resourceColumns = [
  { title: 'KIND', value: (resource: ResourceReport) => resource.kind },
  { title: 'NAMESPACE', value: (resource: ResourceReport) => resource.namespace },
  { title: 'NAME', value: (resource: ResourceReport) => resource.name },
  { title: 'SYNC', value: (resource: ResourceReport) => resource.sync ?? '' },
  { title: 'HEALTH', value: (resource: ResourceReport) => resource.health?.status ?? '' },
  { title: 'MESSAGE', value: (resource: ResourceReport) => plain(resource.health?.message ?? '') },
];

export function addAppGet(app: Command): void {
  app
    .command('get <name>')
    .description('one application: status, revision, images, resources')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const detail = await api.call('getApplication', { params: await findApplication(api, name) });
      const { resources } = detail.report;
      const text = render(format, machineForm(detail), resources, resourceColumns);
      process.stdout.write(format === 'table' ? `${summary(detail)}\n${text}` : text);
    });
}

/** The stable form: name, health, sync, images at the top. */
function machineForm({ row, report }: ApplicationDetail) {
  const { id, health, sync, images, project, destination, commit, operation, note } = row;
  const { spec, resources, history, conditions } = report;
  return {
    name: id.name,
    namespace: id.namespace,
    runtime: id.runtime,
    project,
    health,
    sync,
    images,
    commit,
    destination,
    operation,
    note,
    spec,
    conditions,
    resources,
    history,
  };
}

function summary({ row, report }: ApplicationDetail): string {
  const { id, health, sync, commit, images, destination, operation } = row;
  const facts: [string, string][] = [
    ['Name', id.name],
    ['Runtime', `${id.runtime} (namespace ${id.namespace}, project ${row.project})`],
    ['Target', `${destination.cluster} / ${destination.namespace}`],
    ['Source', `${row.repoUrl} ${row.path}`],
    ['Health', [health.status, health.message].filter(Boolean).join(': ')],
    ['Sync', `${sync.status} ${sync.revision?.slice(0, 7) ?? ''}`],
    ['Commit', commit ? `${commit.message?.split('\n')[0] ?? ''} (${commit.author ?? 'unknown'})` : ''],
    ['Images', images.join(', ')],
    ['Last operation', operation ? [operation.phase, operation.message].filter(Boolean).join(': ') : 'none'],
    ...report.conditions.map((condition): [string, string] => [condition.type, condition.message]),
  ];
  const lines = facts.filter(([, value]) => value).map(([name, value]) => `${`${name}:`.padEnd(16)} ${plain(value)}`);
  return `${lines.join('\n')}\n`;
}
