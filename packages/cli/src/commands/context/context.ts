// The platforms that the command line knows: a company's by URL and key, a laptop's by its home.
import { text } from 'node:stream/consumers';
import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import {
  addContext,
  assertContextName,
  type Context,
  readContexts,
  removeContext,
  type Target,
  targetAt,
  useContext,
} from '../../contexts/index.ts';
import { homeAt } from '../../home/index.ts';
import { parseFormat, plain, render } from '../../output/index.ts';
import { clientOf } from '../../platform-client.ts';
import { askSecret } from '../../prompt.ts';

const say = (line: string) => void process.stdout.write(`${plain(line)}\n`);

interface Row {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly target: string;
  readonly runtime?: string;
}

const columns = [
  { title: 'CURRENT', value: ({ isCurrent }: Row) => (isCurrent ? '*' : '') },
  { title: 'NAME', value: ({ name }: Row) => name },
  { title: 'TARGET', value: ({ target }: Row) => target },
  { title: 'RUNTIME', value: ({ runtime }: Row) => runtime ?? '' },
];

export function addContextList(context: Command): void {
  context
    .command('list')
    .description('known platforms, and which one commands speak to; never their keys')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(({ output }: { output: string }) => {
      const format = parseFormat(output);
      const { current, items } = readContexts(process.env);
      const rows: Row[] = items.map(({ name, url, home, runtime }) => ({
        name,
        isCurrent: name === current,
        target: url ?? home ?? '',
        ...(runtime === undefined ? {} : { runtime }),
      }));
      process.stdout.write(render(format, { items: rows }, rows, columns));
    });
}

export function addContextUse(context: Command): void {
  context
    .command('use <name>')
    .description('speak to this platform from now on')
    .action((name: string) => {
      useContext(process.env, name);
      say(`Commands speak to ${name} now.`);
    });
}

interface AddFlags {
  readonly url?: string;
  readonly fromHome?: string;
  readonly runtime?: string;
}

export function addContextAdd(context: Command): void {
  context
    .command('add <name>')
    .description('name a platform; its API key is asked for, or read from stdin, and tried')
    .option('--url <url>', 'where the platform is, e.g. https://fairlead.example.com')
    .option('--from-home <dir>', 'a laptop installation instead: by its home folder, which has the key')
    .option('--runtime <name>', 'what --runtime is when a command does not say it')
    .addHelpText('after', '\nExample:\n  echo "$KEY" | fairlead context add work --url https://fairlead.example.com')
    .action(async (name: string, flags: AddFlags) => {
      const { url, fromHome, runtime } = flags;
      assertContextName(name); // before a key is asked for
      if ((url === undefined) === (fromHome === undefined)) {
        throw new FairleadError('bad_usage', 'say where it is: either --url URL or --from-home DIR');
      }
      const place = url === undefined ? { home: fromHome ?? '' } : { url: originOf(url), apiKey: await askKey(url) };
      const known: Context = { name, ...place, ...(runtime === undefined ? {} : { runtime }) };
      const who = await tryOut(known);
      const { current } = addContext(process.env, known);
      say(`Context ${name}: ${place.url ?? place.home}, as ${who}.`);
      say(
        current === name
          ? `Commands speak to ${name} now.`
          : `fairlead context use ${name} makes commands speak to it.`,
      );
    });
}

export function addContextRemove(context: Command): void {
  context
    .command('remove <name>')
    .description('forget a platform and its key; nothing changes there')
    .action((name: string) => {
      const { current } = removeContext(process.env, name);
      say(`Context ${name} is forgotten${current === undefined ? '; none is in use' : ''}.`);
    });
}

function originOf(url: string): string {
  const isWhole = /^https?:\/\/[^/@?#\s]+\/?$/.test(url) && URL.canParse(url);
  if (isWhole) return new URL(url).origin;
  throw new FairleadError(
    'bad_usage',
    `--url ${plain(url)}: must be the address of a platform, e.g. https://fairlead.example.com`,
  );
}

async function askKey(url: string): Promise<string> {
  const given = process.stdin.isTTY ? await askSecret(`API key for ${url}: `) : await text(process.stdin);
  if (given.trim() !== '') return given.trim();
  throw new FairleadError('bad_usage', `no API key for ${url} was given; type it, or pipe it into the command`);
}

/** A context that cannot work is not kept. */
async function tryOut({ url, apiKey = '', home = '' }: Context): Promise<string> {
  const target: Target = url === undefined ? atHome(home) : { url, apiKey, from: '--url', isHome: false };
  try {
    return (await clientOf(target).call('me', {})).user.name;
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code !== 'not_signed_in') throw error;
    throw new FairleadError(
      'not_signed_in',
      `API key: ${target.url} does not take it; make one there under Settings, API keys, and give that`,
    );
  }
}

function atHome(dir: string): Target {
  try {
    return targetAt(homeAt(dir));
  } catch {
    throw new FairleadError(
      'not_running',
      `--from-home ${plain(dir)}: Fairlead was not started there yet; run fairlead up --home ${plain(dir)}, or name another folder`,
    );
  }
}
