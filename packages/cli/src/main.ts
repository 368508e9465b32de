import { type Command, CommanderError } from 'commander';
import { exitCodeOf } from './exit-code.ts';
import { describeError } from './platform-client.ts';
import { createProgram } from './program.ts';

/** Runs the command line; one clear line and an exit code that says what kind of failure it was. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  const program = createProgram();
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    // The parser has said what is wrong, or printed the help that was asked for.
    if (!(error instanceof CommanderError))
      process.stderr.write(`fairlead: ${describeError(error, listingOf(program, argv))}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** `fairlead app list`, for what was asked of `fairlead app`. */
function listingOf({ commands }: Command, [noun]: readonly string[]): string | undefined {
  const has = commands.find((each) => each.name() === noun)?.commands.some((each) => each.name() === 'list');
  return has ? `fairlead ${noun} list` : undefined;
}

/** `fairlead app list | head`, or a terminal that was closed: nobody reads any more, which must not end us half-way. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
