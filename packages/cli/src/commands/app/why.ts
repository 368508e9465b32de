import { type ApiClient, ApiError, type ApplicationId, type Explanation } from '@fairlead/contracts';
import type { Command } from 'commander';
import { parseFormat, plain, render, styled } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';

export function addAppWhy(app: Command): void {
  app
    .command('why <name>')
    .description('why an application is not green, and what to do')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const params = await findApplication(api, name);
      const { row, report } = await api.call('getApplication', { params });
      const explanation = await lookClosely(api, params, report.explanation);
      if (format !== 'table') process.stdout.write(render(format, explanation ?? null, [], []));
      else if (explanation) process.stdout.write(inWords(row.id.name, explanation));
      else process.stdout.write(`${row.id.name} is ${row.health.status} and ${row.sync.status}: nothing to explain\n`);
    });
}

/** With pods, events and last log lines, looked at now; what was reported, where that cannot be had. */
async function lookClosely(
  api: ApiClient,
  params: ApplicationId,
  reported: Explanation | undefined,
): Promise<Explanation | undefined> {
  try {
    const { explanation } = await api.call('explainApplication', { params });
    return explanation ?? reported;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    process.stderr.write(`(as last reported; a closer look was not possible: ${plain(error.message)})\n`);
    return reported;
  }
}

function inWords(name: string, { headline, since, actor, chain, remedies }: Explanation): string {
  const facts = [since ? `since ${since}` : '', actor ? `caused by ${actor}` : ''].filter(Boolean).join(', ');
  const links = chain.flatMap(({ title, detail, quote }, depth) => {
    const indent = '  '.repeat(depth);
    const said = (quote ?? '').split('\n').filter(Boolean);
    return [
      `${indent}└ ${plain(title)}${detail ? `: ${plain(detail)}` : ''}`,
      ...said.map((line) => `${indent}    ${styled('dim', plain(line))}`),
    ];
  });
  const hints = remedies.map(({ title }) => `→ ${plain(title)}`);
  return `${[`${name}: ${plain(headline)}`, facts, ...links, ...hints].filter(Boolean).join('\n')}\n`;
}
