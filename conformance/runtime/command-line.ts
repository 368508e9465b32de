// The command line in this process: its real entry, with an environment, a standard input and an end of its own. A process for
// each of a hundred commands would take the suite a minute; that the program itself starts and ends is shown in packages/cli.
import { Readable } from 'node:stream';
import { main } from '@fairlead/cli';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** One at a time: what it changes of the process is given back before the next. */
export async function fairlead(args: readonly string[], { env, input = '' }: Run): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const restore = [replaceEnv(env), replaceInput(input), capture('stdout', written), capture('stderr', written)];
  try {
    await main(args);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    for (const undo of restore) undo();
    process.exitCode = undefined;
  }
}

function replaceEnv(env: Run['env']): () => void {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return () => {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  };
}

function replaceInput(input: string): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  return () => {
    if (before) Object.defineProperty(process, 'stdin', before);
  };
}

function capture(name: 'stdout' | 'stderr', written: Record<'stdout' | 'stderr', string>): () => void {
  const stream = process[name];
  const { write } = stream;
  const listeners = new Set(stream.listeners('error'));
  stream.write = (chunk: string | Uint8Array) => {
    written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  return () => {
    stream.write = write;
    // The program listens for readers that go away, once a run.
    for (const listener of stream.listeners('error')) {
      if (!listeners.has(listener)) stream.off('error', listener as () => void);
    }
  };
}
