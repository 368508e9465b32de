// One process, one or more roles: `fairlead role cluster,engine`. Settings come from flags (one role) and environment.
import { join } from 'node:path';
import {
  ConfigError,
  createLogger,
  envName,
  errorMessage,
  FairleadError,
  Lifecycle,
  type Logger,
  type Role,
  readConfig,
  type Settings,
} from '@fairlead/base';
import type { RoleMessage, SupervisorOrder } from './laptop/index.ts';
import { loadRole } from './roles.ts';

const processSettings = {
  logDir: { type: 'string', optional: true, help: 'folder for one log file per role; default: standard output' },
  logLevel: { type: 'string', default: 'info', help: 'debug, info, warn or error' },
} as const satisfies Settings;

export async function runRoles(names: readonly string[], flags: readonly string[]): Promise<void> {
  const chosen = await Promise.all(names.map(loadRole));
  if (chosen.length > 1 && flags.length > 0) {
    throw new ConfigError(`flags are for one role at a time; with ${names.join(',')} use the environment`);
  }
  // A supervisor hands one environment to all its processes; a person or a pod sets it for this one.
  if (!process.connected) refuseUnknownEnvironment(chosen, process.env);
  const own = readConfig(processSettings, { flags: [], env: process.env });
  const logFor = (role: string) =>
    createLogger({
      role,
      level: own.logLevel,
      ...(own.logDir ? { file: join(own.logDir, `${role}.log`) } : {}),
    });
  const log = logFor(names[0] ?? 'roles');
  const lifecycle = new Lifecycle(log);
  dieLoudly(log);
  const stopped = stopOnSignal(lifecycle, log);
  for (const role of chosen) await startRole(role, { flags, log: logFor(role.name), lifecycle });
  startMoreWhenTold((role) => startRole(role, { flags: [], log: logFor(role.name), lifecycle }));
  await stopped;
  process.exit(0); // whatever a library still holds open must not keep a stopped process alive
}

interface StartContext {
  readonly flags: readonly string[];
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}

async function startRole(role: Role, { flags, log, lifecycle }: StartContext): Promise<void> {
  try {
    const config = readConfig(role.settings, { flags, env: process.env });
    const { url } = await role.start(config, { log, lifecycle });
    log.info({ url }, 'role is ready');
    tell({ type: 'ready', role: role.name, ...(url ? { url } : {}) });
  } catch (error) {
    const code = error instanceof FairleadError ? error.code : 'role_failed';
    tell({ type: 'failed', role: role.name, code, message: errorMessage(error) });
    log.error({ error: errorMessage(error) }, 'role could not start');
    await lifecycle.stop();
    throw error;
  }
}

/** A supervisor may have a running process take on further roles: a runtime that is installed later. */
function startMoreWhenTold(start: (role: Role) => Promise<void>): void {
  let turn: Promise<void> = Promise.resolve();
  process.on('message', (order: SupervisorOrder) => {
    turn = turn.then(async () => {
      for (const name of order.start) await start(await loadRole(name));
    });
  });
}

function tell(message: RoleMessage): void {
  if (process.connected) process.send?.(message);
}

/** A supervised process leaves Ctrl-C to its supervisor, and ends when the supervisor is gone. */
function stopOnSignal(lifecycle: Lifecycle, log: Logger): Promise<void> {
  const supervised = process.connected;
  return new Promise((resolve) => {
    const stop = (why: string) => {
      log.info({ why }, 'stopping');
      void lifecycle.stop().then(resolve);
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => (supervised ? undefined : stop('SIGINT')));
    if (supervised) process.once('disconnect', () => stop('the supervisor is gone'));
  });
}

function dieLoudly(log: Logger): void {
  const die = (what: string) => (error: unknown) => {
    log.error({ error: errorMessage(error), stack: error instanceof Error ? error.stack : undefined }, what);
    process.exit(70);
  };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));
}

/** A misspelt setting must not be silently without effect. */
function refuseUnknownEnvironment(chosen: readonly Role[], env: Readonly<Record<string, string | undefined>>): void {
  const settings = [processSettings, ...chosen.map((role) => role.settings)];
  const known = new Set(['FAIRLEAD_HOME', ...settings.flatMap((each) => Object.keys(each).map(envName))]);
  const unknown = Object.keys(env).filter((name) => name.startsWith('FAIRLEAD_') && !known.has(name));
  if (unknown.length === 0) return;
  throw new ConfigError(
    `unknown setting ${unknown.join(', ')} in the environment; known: ${[...known].sort().join(', ')}`,
  );
}
