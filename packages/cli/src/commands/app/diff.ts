import type { ApiClient, ApplicationId, ResourceReport } from '@fairlead/contracts';
import type { Command } from 'commander';
import { dump } from 'js-yaml';
import { diffLines, plain, styled } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';

export function addAppDiff(app: Command): void {
  app
    .command('diff <name>')
    .description('what differs between Git and the cluster; exit code 1 when something does')
    .action(async (name: string, _flags, command: Command) => {
      const api = platformClient(command.optsWithGlobals<GlobalOptions>());
      const id = await findApplication(api, name);
      const { report } = await api.call('getApplication', { params: id });
      const different = report.resources.filter((resource) => resource.sync === 'OutOfSync');
      for (const resource of different) process.stdout.write(await describe(api, id, resource));
      if (different.length === 0) process.stdout.write(`${id.name} is as Git says\n`);
      else process.exitCode = 1;
    });
}

async function describe(api: ApiClient, id: ApplicationId, resource: ResourceReport): Promise<string> {
  const { group, kind, namespace, name } = resource;
  const title = `${[kind, group].filter(Boolean).join('.')} ${namespace ? `${namespace}/` : ''}${name}`;
  if (!resource.live) return `${title}: not in the cluster\n`;
  if (!resource.desired) return `${title}: not in Git any more${resource.requiresPruning ? ', to be pruned' : ''}\n`;
  const query = { group, kind, namespace, resource: name };
  const { diff } = await api.call('getApplicationResource', { params: id, query });
  if (!diff) return `${title}: differs\n`;
  const lines = diffLines(asYaml(diff.normalized), asYaml(diff.predicted)).map(({ sign, text }) => {
    const line = `${sign} ${plain(text)}`;
    return sign === '+' ? styled('green', line) : sign === '-' ? styled('red', line) : line;
  });
  return `${title}: - in the cluster, + as Git wants it\n${lines.join('\n')}\n`;
}

const asYaml = (value: unknown) => dump(value, { noRefs: true, sortKeys: true, lineWidth: -1 }).trimEnd().split('\n');
