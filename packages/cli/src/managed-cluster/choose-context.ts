// Which cluster: by flag, by choice on a terminal, or by being the only one.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { errorMessage, FairleadError } from '@fairlead/base';
import { type ClusterConnection, type KubeContext, listContexts, loadKubeconfig } from '@fairlead/kube';

interface ContextQuery {
  readonly context: string | undefined;
  /** Of `--kubeconfig`; else `$KUBECONFIG` or the usual file, and `extraFiles`. */
  readonly file: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A laptop's own cluster is offered too. */
  readonly extraFiles: readonly string[];
  /** Without a question: the file's own current context, when none is named. */
  readonly takesCurrent?: boolean;
  readonly terminal: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };
}

export interface ChosenContext {
  readonly name: string;
  /** The kubeconfig it is in. */
  readonly file: string;
  readonly connection: ClusterConnection;
}

interface Offer extends KubeContext {
  readonly file: string;
}

export async function chooseContext(query: ContextQuery): Promise<ChosenContext> {
  const files = filesOf(query);
  const offers = (await Promise.all(files.map(contextsOf))).flat();
  const { name, file } =
    query.context === undefined ? await choose(offers, query) : named(offers, query.context, files);
  try {
    return { name, file, connection: await loadKubeconfig(file, { context: name }) };
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function filesOf({ file, env, extraFiles }: ContextQuery): string[] {
  if (file !== undefined) return [file];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  const usual = listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
  return [...new Set([...usual, ...extraFiles])].filter((each) => existsSync(each));
}

async function contextsOf(file: string): Promise<Offer[]> {
  try {
    return (await listContexts(file)).map((context) => ({ ...context, file }));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

const unreadable = (file: string, cause: unknown) =>
  new FairleadError(
    'bad_usage',
    `--kubeconfig ${file}: ${errorMessage(cause)}; give the file that kubectl uses, or set $KUBECONFIG`,
  );

function named(offers: readonly Offer[], name: string, files: readonly string[]): Offer {
  const found = offers.find((offer) => offer.name === name);
  if (found) return found;
  const names = offers.map((offer) => offer.name).join(', ') || 'none';
  throw new FairleadError(
    'unknown_context',
    `--context ${name}: there is no such context in ${files.join(', ') || 'any kubeconfig'}; choose one of: ${names}`,
  );
}

async function choose(offers: readonly Offer[], { terminal, takesCurrent }: ContextQuery): Promise<Offer> {
  const [first] = offers;
  if (!first) {
    throw new FairleadError(
      'no_kubeconfig',
      '--kubeconfig: none was found; give one with --kubeconfig FILE, or set $KUBECONFIG',
    );
  }
  if (offers.length === 1) return first;
  const current = takesCurrent ? offers.find(({ isCurrent }) => isCurrent) : undefined;
  if (current) return current;
  if (!terminal.input.isTTY) {
    const names = offers.map((offer) => offer.name).join(', ');
    throw new FairleadError('context_missing', `--context: say which cluster; there: ${names}`);
  }
  return ask(offers, terminal);
}

async function ask(offers: readonly Offer[], { input, output }: ContextQuery['terminal']): Promise<Offer> {
  const current = Math.max(
    0,
    offers.findIndex(({ isCurrent }) => isCurrent),
  );
  output.write('Which cluster?\n');
  for (const [index, { name, server }] of offers.entries()) output.write(`  ${index + 1}) ${name}  ${server}\n`);
  const lines = createInterface({ input, output });
  try {
    for (;;) {
      const answer = (await lines.question(`Number or name [${current + 1}]: `)).trim();
      const chosen = offers[answer === '' ? current : Number(answer) - 1] ?? offers.find(({ name }) => name === answer);
      if (chosen) return chosen;
      output.write(`${answer}: choose a number from 1 to ${offers.length}, or a name\n`);
    }
  } finally {
    lines.close();
  }
}
