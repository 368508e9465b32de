import type { Command } from 'commander';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';

export function addAppRefresh(app: Command): void {
  app
    .command('refresh <name>')
    .description('compare an application with Git and the cluster now, without changing anything')
    .option('--hard', 'render anew too, past every cache')
    .action(async (name: string, _flags, command: Command) => {
      const { hard, ...options } = command.optsWithGlobals<GlobalOptions & { hard?: boolean }>();
      const api = platformClient(options);
      const params = await findApplication(api, name);
      const receipt = await api.call('refreshApplication', { params, body: hard ? { hard } : {} });
      process.stdout.write(`${plain(receipt.message)}\n`);
    });
}

export function addAppTerminate(app: Command): void {
  app
    .command('terminate <name>')
    .description('stop the sync that is under way; what it has applied stays')
    .action(async (name: string, _flags, command: Command) => {
      const api = platformClient(command.optsWithGlobals<GlobalOptions>());
      const params = await findApplication(api, name);
      const receipt = await api.call('terminateOperation', { params });
      process.stdout.write(`${plain(receipt.message)}\n`);
    });
}
