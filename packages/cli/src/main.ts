import { describeError } from './platform-client.ts';
import { createProgram } from './program.ts';

/** Runs the command line; one clear line and a non-zero exit code when it fails. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    await createProgram().parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.stderr.write(`fairlead: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}

/** `fairlead app list | head`, or a terminal that was closed: nobody reads any more, which must not end us half-way. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
