// Keeps the role processes of a home running: starts them, restarts what dies with back-off, stops them in order.
// Each child tells over its IPC channel when a role serves or cannot; it ends by itself when that channel closes, so a
// killed supervisor leaves none behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backoffDelay, type Clock, FairleadError, type Logger, sleep } from '@fairlead/base';
import type { ProcessPlan } from './processes.ts';

/** What a role process says to its supervisor. */
export type RoleMessage =
  | { readonly type: 'ready'; readonly role: string; readonly url?: string }
  | { readonly type: 'failed'; readonly role: string; readonly code: string; readonly message: string };

/** What a supervisor says to a role process: start these roles too. */
export interface SupervisorOrder {
  readonly start: readonly string[];
}

interface SupervisorOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly logsDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** A process came up or went down. */
  readonly onChange?: () => void;
}

const entry = fileURLToPath(new URL('../../bin/fairlead.mjs', import.meta.url));
const stopGraceMs = 8_000;
/** A child that lived this long before it died starts again with the shortest wait. */
const stableMs = 30_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #children = new Map<string, ChildProcess>();
  /** As they should run now; roles may have been added since the start. */
  readonly #plans = new Map<string, ProcessPlan>();
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Resolves when every role of the process serves. A failure before that is final; after it the process is kept up. */
  async start(plan: ProcessPlan): Promise<void> {
    this.#plans.set(plan.name, plan);
    const first = await this.#spawn(plan);
    this.#loops.push(this.#keepUp(plan.name, first));
  }

  /** Resolves when the process serves these roles too; from then on it is kept up with them. */
  async addRoles(name: string, roles: readonly string[]): Promise<void> {
    const plan = this.#plans.get(name);
    const child = this.#children.get(name);
    if (!plan || !child) throw new FairleadError('not_running', `${name} is not running`);
    const added = roles.filter((role) => !plan.roles.includes(role));
    if (added.length === 0) return;
    child.send({ start: added } satisfies SupervisorOrder);
    await this.#served(child, { name, roles: added });
    this.#plans.set(name, { name, roles: [...plan.roles, ...added] });
  }

  pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([name, child]) => [name, child.pid ?? 0]));
  }

  /** Asks the processes to end, all those of `names` at once, and makes sure they did. */
  async stop(names: readonly string[]): Promise<void> {
    this.#stopping.abort();
    await Promise.all(names.map((name) => this.#stopChild(name)));
  }

  async #keepUp(name: string, first: ChildProcess): Promise<void> {
    const { clock, log } = this.#options;
    let child = first;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      const startedMs = clock.monotonic();
      const reason = await exitOf(child);
      if (this.#stopping.signal.aborted) return;
      failures = clock.monotonic() - startedMs > stableMs ? 0 : failures + 1;
      log.warn({ process: name, reason, failures }, 'a process ended; starting it again');
      child = await this.#respawn(name, failures);
    }
  }

  async #respawn(name: string, failures: number): Promise<ChildProcess> {
    const { clock, log } = this.#options;
    for (let attempt = failures; ; attempt++) {
      const delayMs = attempt <= 1 ? 50 : backoffDelay(attempt, { baseMs: 250, maxMs: 5_000 });
      await sleep(delayMs, { signal: this.#stopping.signal, clock }).catch(() => undefined);
      if (this.#stopping.signal.aborted) throw this.#stopping.signal.reason;
      try {
        return await this.#spawn(this.#plans.get(name) ?? { name, roles: [] });
      } catch (error) {
        log.error({ process: name, error: String(error) }, 'a process did not come up; trying again');
      }
    }
  }

  async #spawn(plan: ProcessPlan): Promise<ChildProcess> {
    const { env, logsDir, onChange } = this.#options;
    const outputFile = join(logsDir, `${plan.name}.out.log`);
    const output = openSync(outputFile, 'a', 0o600);
    const child = spawn(process.execPath, [entry, 'role', plan.roles.join(',')], {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.#children.set(plan.name, child);
    onChange?.();
    await this.#served(child, plan);
    return child;
  }

  /** Resolves when every one of these roles serves; a process in which one could not start is ended. */
  #served(child: ChildProcess, { name, roles }: ProcessPlan): Promise<void> {
    const outputFile = join(this.#options.logsDir, `${name}.out.log`);
    return new Promise((resolve, reject) => {
      const waiting = new Set(roles);
      child.on('message', (message: RoleMessage) => {
        if (!waiting.has(message.role)) return;
        if (message.type === 'failed') {
          child.kill('SIGTERM');
          reject(new FairleadError(message.code, `${message.role} could not start: ${message.message}`));
          return;
        }
        waiting.delete(message.role);
        if (waiting.size === 0) resolve();
      });
      child.once('error', reject);
      void exitOf(child).then((reason) =>
        reject(new FairleadError('role_ended', `${name} ended while starting (${reason}); see ${outputFile}`)),
      );
    });
  }

  async #stopChild(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = exitOf(child);
    child.kill('SIGTERM');
    const hard = this.#options.clock.after(stopGraceMs, () => child.kill('SIGKILL'));
    await exited;
    hard();
  }
}

function exitOf(child: ChildProcess): Promise<string> {
  const reason = () => (child.signalCode ? `killed by ${child.signalCode}` : `exit code ${child.exitCode}`);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(reason());
  return new Promise((resolve) => child.once('exit', () => resolve(reason())));
}
