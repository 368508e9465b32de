// Keeps the role processes of a home running: starts them, restarts what dies with back-off, stops them in order.
// Each child tells over its IPC channel when a role serves or cannot; it ends by itself when that channel closes, so a
// killed supervisor leaves none behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { anySignal, backoffDelay, type Clock, FairleadError, type Logger, openLogFile, sleep } from '@fairlead/base';
import { programFile } from '../own-files.ts';
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

const stopGraceMs = 8_000;
/** A child that lived this long before it died starts again with the shortest wait. */
const stableMs = 30_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #children = new Map<string, ChildProcess>();
  /** As they should run now; roles may have been added since the start. */
  readonly #plans = new Map<string, ProcessPlan>();
  readonly #stopping = new AbortController();
  /** Of one process each: it is to end and stay ended. */
  readonly #leaving = new Map<string, AbortController>();
  readonly #loops: Promise<void>[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Resolves when every role of the process serves. A failure before that is final; after it the process is kept up. */
  async start(plan: ProcessPlan): Promise<void> {
    this.#plans.set(plan.name, plan);
    const leaving = new AbortController();
    this.#leaving.set(plan.name, leaving);
    const first = await this.#spawn(plan);
    this.#loops.push(this.#keepUp(plan.name, first, anySignal([this.#stopping.signal, leaving.signal])));
  }

  /** Ends one process, which may be between two lives or unknown; the others go on. */
  async remove(name: string): Promise<void> {
    this.#leaving.get(name)?.abort();
    await this.#stopChild(name);
    this.#children.delete(name);
    this.#plans.delete(name);
    this.#options.onChange?.();
  }

  /** Resolves when the process serves these roles too; from then on it is kept up with them. */
  async addRoles(name: string, roles: readonly string[]): Promise<void> {
    const plan = this.#plans.get(name);
    const child = this.#children.get(name);
    if (!plan || !child) throw new FairleadError('not_running', `${name} is not running`);
    const added = roles.filter((role) => !plan.roles.includes(role));
    if (added.length === 0) return;
    child.send({ start: added } satisfies SupervisorOrder);
    await this.#served(child, { ...plan, roles: added });
    this.#plans.set(name, { ...plan, roles: [...plan.roles, ...added] });
  }

  pids(): Record<string, number> {
    return Object.fromEntries([...this.#children].map(([name, child]) => [name, child.pid ?? 0]));
  }

  /** Asks the processes to end, all those of `names` at once, and makes sure they did. */
  async stop(names: readonly string[]): Promise<void> {
    this.#stopping.abort();
    await Promise.all(names.map((name) => this.#stopChild(name)));
  }

  async #keepUp(name: string, first: ChildProcess, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    let child = first;
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = clock.monotonic();
      const reason = await exitOf(child);
      if (signal.aborted) return;
      failures = clock.monotonic() - startedMs > stableMs ? 0 : failures + 1;
      log.warn({ process: name, reason, failures }, 'a process ended; starting it again');
      const next = await this.#respawn(name, failures, signal);
      if (!next) return;
      child = next;
    }
  }

  /** Undefined when it is not wanted any more. */
  async #respawn(name: string, failures: number, signal: AbortSignal): Promise<ChildProcess | undefined> {
    const { clock, log } = this.#options;
    for (let attempt = failures; ; attempt++) {
      const delayMs = attempt <= 1 ? 50 : backoffDelay(attempt, { baseMs: 250, maxMs: 5_000 });
      await sleep(delayMs, { signal, clock }).catch(() => undefined); // seen in the next line
      const plan = this.#plans.get(name);
      if (signal.aborted || !plan) return undefined;
      try {
        return await this.#spawn(plan);
      } catch (error) {
        log.error({ process: name, error: String(error) }, 'a process did not come up; trying again');
      }
    }
  }

  async #spawn(plan: ProcessPlan): Promise<ChildProcess> {
    const { env, onChange } = this.#options;
    const output = openLogFile(this.#outputFile(plan));
    const child = spawn(process.execPath, [programFile, 'role', plan.roles.join(',')], {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...(plan.env ?? env) },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.#children.set(plan.name, child);
    onChange?.();
    await this.#served(child, plan);
    return child;
  }

  /** Resolves when every one of these roles serves; a process in which one could not start is ended. */
  #served(child: ChildProcess, plan: ProcessPlan): Promise<void> {
    const { name, roles } = plan;
    const outputFile = this.#outputFile(plan);
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

  #outputFile({ name, logsDir = this.#options.logsDir }: ProcessPlan): string {
    return join(logsDir, `${name}.out.log`);
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
