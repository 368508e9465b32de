// What the components of a runtime wrote: from the files of one on this machine, else from the runtime itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type RuntimeComponent, runtimeComponents } from '@fairlead/contracts';
import type { Command } from 'commander';
import { attachedHomeOf, findHome, runtimeHomeOf } from '../../home/index.ts';
import { oneOf, wholeNumber } from '../../input.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

interface LogFlags extends GlobalOptions {
  readonly component?: string;
  readonly tail: string;
}

interface Line {
  readonly component: string;
  readonly time: string;
  readonly text: string;
}

/** What a runtime elsewhere gives of one component. */
const mostElsewhere = 5_000;

export function addRuntimeLogs(runtime: Command): void {
  runtime
    .command('logs <name> [component]')
    .description('log lines of the components of a runtime, oldest first')
    .option('--component <name>', `the same: one of ${runtimeComponents.join(', ')}; default: all`)
    .option('--tail <n>', 'how many lines at most', '200')
    .action(async (name: string, named: string | undefined, _flags, command: Command) => {
      const { component = named, ...flags } = command.optsWithGlobals<LogFlags>();
      const tail = wholeNumber('--tail', flags.tail);
      const wanted = component ? [oneOf('component', component, runtimeComponents)] : runtimeComponents;
      const dir = await logsOf(name, flags);
      const lines = dir === undefined ? await linesElsewhere(name, wanted, { ...flags, tail }) : linesIn(dir, wanted);
      for (const { component: writer, text } of byTime(lines).slice(-tail)) {
        process.stdout.write(`${writer}  ${plain(text)}\n`);
      }
    });
}

/** Undefined: they are not on this machine. */
async function logsOf(name: string, flags: GlobalOptions): Promise<string | undefined> {
  const home = findHome(flags.home, process.env);
  const own = [runtimeHomeOf, attachedHomeOf].map((placeOf) => placeOf(home, name).logsDir).find(existsSync);
  if (own !== undefined) return own;
  const api = platformClient(flags);
  const { kind } = await api.call('getRuntime', { params: { runtime: await knownRuntime(api, name) } });
  return kind === 'hosted' && existsSync(home.logsDir) ? home.logsDir : undefined;
}

async function linesElsewhere(
  runtime: string,
  components: readonly RuntimeComponent[],
  { tail, ...flags }: GlobalOptions & { readonly tail: number },
): Promise<Line[]> {
  const api = platformClient(flags);
  const query = { tail: Math.min(tail, mostElsewhere) };
  const found: Line[] = [];
  for (const component of components) {
    try {
      const params = { runtime, component };
      for await (const { time, line, pod } of api.stream('streamComponentLogs', { params, query })) {
        found.push({ component: pod ?? component, time, text: line });
      }
    } catch (error) {
      // A runtime need not have every component: one whose engine is an Argo CD has no cluster of ours, for example.
      const isMissing = error instanceof ApiError && error.code === 'not_found' && components.length > 1;
      if (!isMissing) throw error;
    }
  }
  return found;
}

function linesIn(dir: string, components: readonly string[]): Line[] {
  const present = new Set(readdirSync(dir));
  return components
    .filter((component) => present.has(`${component}.log`))
    .flatMap((component) =>
      readFileSync(join(dir, `${component}.log`), 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => ({ component, time: /"time":"([^"]+)"/.exec(text)?.[1] ?? '', text })),
    );
}

const byTime = (lines: Line[]) => lines.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
