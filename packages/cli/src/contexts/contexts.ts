// The platforms that the command line knows by name, and which of them it speaks to. One file of the person, mode 0600,
// since a context by URL holds its API key; a context by home holds none and follows the home's port.
// Order: --home, $FAIRLEAD_CONTEXT, $FAIRLEAD_HOME, the context in use, ~/.fairlead. A context says whom commands speak to;
// what they do on this machine (up, down, reset …) goes by the home alone.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { FairleadError } from '@fairlead/base';
import { findHome, type Home, homeAt, readApiKey, readEndpoints, readJson, writeJson } from '../home/index.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Context {
  readonly name: string;
  /** Of a platform, with its key; or the home of a laptop installation. */
  readonly url?: string;
  readonly apiKey?: string;
  readonly home?: string;
  /** What --runtime is when it is not said. */
  readonly runtime?: string;
}

export interface Contexts {
  readonly current?: string;
  readonly items: readonly Context[];
}

/** Whom to speak to. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Where the address came from, for messages: `context work`, `home /home/ana/.fairlead`. */
  readonly from: string;
  readonly isHome: boolean;
}

const namePattern = /^[A-Za-z0-9][-._A-Za-z0-9]{0,62}$/;

/** `$FAIRLEAD_CONFIG`, else in the folder that the XDG rules name. */
export function contextsFile(env: Env): string {
  return env['FAIRLEAD_CONFIG'] ?? join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'fairlead/contexts.json');
}

export function readContexts(env: Env): Contexts {
  const file = contextsFile(env);
  const contexts = readJson<Contexts>(file) ?? { items: [] };
  if (contexts.items.some(({ apiKey }) => apiKey !== undefined)) refuseIfOpen(file);
  return contexts;
}

/** A copy or a backup may have lost the mode that we gave it. Windows has no such mode. */
function refuseIfOpen(file: string): void {
  const mode = statSync(file).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new FairleadError(
    'not_private',
    `${file} holds API keys and has mode ${mode.toString(8)}, so others on this machine can read them; run chmod 600 ${file}, and make new keys if somebody may have looked`,
  );
}

/** The context that counts now; undefined where a home was named or none is in use. */
export function activeContext(homeFlag: string | undefined, env: Env): Context | undefined {
  if (homeFlag !== undefined) return undefined;
  const named = env['FAIRLEAD_CONTEXT'];
  if (named) return contextNamed(readContexts(env), named, '$FAIRLEAD_CONTEXT');
  if (env['FAIRLEAD_HOME']) return undefined;
  const contexts = readContexts(env);
  return contexts.current === undefined ? undefined : contextNamed(contexts, contexts.current, 'the context in use');
}

export function targetOf(homeFlag: string | undefined, env: Env): Target {
  const context = activeContext(homeFlag, env);
  if (context?.url !== undefined) {
    return { url: context.url, apiKey: context.apiKey ?? '', from: `context ${context.name}`, isHome: false };
  }
  return targetAt(context?.home === undefined ? findHome(homeFlag, env) : homeAt(context.home));
}

/** The platform of a laptop installation. */
export const targetAt = (home: Home): Target => ({
  url: readEndpoints(home).platform,
  apiKey: readApiKey(home),
  from: `home ${home.dir}`,
  isHome: true,
});

/** Again for the same name: replaces it. The first one is in use from the start. */
export function addContext(env: Env, context: Context): Contexts {
  assertContextName(context.name);
  const { current, items } = readContexts(env);
  const kept = { ...context, ...(context.home === undefined ? {} : { home: resolve(context.home) }) };
  const others = items.filter(({ name }) => name !== context.name);
  const after = [...others, kept].sort((a, b) => (a.name < b.name ? -1 : 1));
  return store(env, { current: current ?? context.name, items: after });
}

export function assertContextName(name: string): void {
  if (namePattern.test(name)) return;
  throw new FairleadError(
    'bad_usage',
    `name ${JSON.stringify(name)}: use letters, digits, '.', '_' and '-', at most 63, beginning with a letter or digit`,
  );
}

export function useContext(env: Env, name: string): Contexts {
  const contexts = readContexts(env);
  contextNamed(contexts, name, 'name');
  return store(env, { ...contexts, current: name });
}

/** After the one in use is gone, none is: the next command goes by the home again. */
export function removeContext(env: Env, name: string): Contexts {
  const contexts = readContexts(env);
  contextNamed(contexts, name, 'name');
  const items = contexts.items.filter((context) => context.name !== name);
  const { current } = contexts;
  return store(env, current === undefined || current === name ? { items } : { current, items });
}

function contextNamed({ items }: Contexts, wanted: string, field: string): Context {
  const found = items.find(({ name }) => name === wanted);
  if (found) return found;
  const names = items.map(({ name }) => name).join(', ') || 'none';
  throw new FairleadError(
    'not_found',
    `${field}: there is no context ${wanted}; there: ${names}; fairlead context add makes one`,
  );
}

function store(env: Env, contexts: Contexts): Contexts {
  const file = contextsFile(env);
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeJson(file, contexts);
  return contexts;
}
