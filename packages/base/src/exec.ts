// Child processes: no shell, an explicit environment, bounded output, always reaped.
import { spawn } from 'node:child_process';
import { FairleadError } from './errors.ts';

interface ExecOptions {
  readonly cwd?: string;
  /** The whole environment of the child; nothing is inherited unless it is named here. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Default 64 MiB; a child that writes more is killed and the call fails. */
  readonly maxOutputBytes?: number;
  /** Exit codes that are answers rather than failures. */
  readonly okExitCodes?: readonly number[];
  /** The child leads a process group of its own, which is killed whole: at a failure, and when the child has ended. */
  readonly processGroup?: boolean;
  /** Run as another user; only root may. */
  readonly uid?: number;
  readonly gid?: number;
}

interface ExecResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class ExecError extends FairleadError {
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(message: string, fields: { exitCode?: number | undefined; stderr?: string; cause?: unknown }) {
    super('exec_failed', message, { cause: fields.cause });
    this.exitCode = fields.exitCode;
    this.stderr = fields.stderr ?? '';
  }
}

const defaultMaxOutputBytes = 64 * 1024 * 1024;

export function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const { input, signal, timeoutMs, maxOutputBytes = defaultMaxOutputBytes, okExitCodes = [0] } = options;
  const { processGroup = false } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? { PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: processGroup,
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let sizeBytes = 0;
    let failure: unknown;
    const fail = (error: unknown) => {
      failure ??= error;
      if (!(processGroup && killGroup(child.pid))) child.kill('SIGKILL');
    };
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > maxOutputBytes) fail(new ExecError(`${command} wrote more than ${maxOutputBytes} bytes`, {}));
      else into.push(chunk);
    };
    child.stdout.on('data', collect(stdout));
    child.stderr.on('data', collect(stderr));
    const onAbort = () => fail(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = timeoutMs
      ? setTimeout(() => fail(new ExecError(`${command} did not finish within ${timeoutMs} ms`, {})), timeoutMs)
      : undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.on('error', (cause) => {
      settle();
      reject(failure ?? new ExecError(`cannot run ${command}`, { cause }));
    });
    if (processGroup) child.on('exit', () => killGroup(child.pid));
    child.on('close', (exitCode, killedBy) => {
      settle();
      const errorText = Buffer.concat(stderr).toString('utf8');
      if (failure !== undefined) return reject(failure);
      if (exitCode === null || !okExitCodes.includes(exitCode)) {
        const how = exitCode === null ? `was killed by ${killedBy}` : `exited with ${exitCode}`;
        const what = `${command} ${args[0] ?? ''} ${how}: ${errorText.trim().slice(0, 2000)}`;
        return reject(new ExecError(what, { exitCode: exitCode ?? undefined, stderr: errorText }));
      }
      resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: errorText });
    });
    child.stdin.on('error', () => undefined); // a child that closes its input early reports it by its exit code
    child.stdin.end(input);
  });
}

/** Whether there was a group to kill. */
function killGroup(leader: number | undefined): boolean {
  if (leader === undefined) return false;
  try {
    process.kill(-leader, 'SIGKILL');
    return true;
  } catch {
    return false; // nobody is left in it
  }
}
