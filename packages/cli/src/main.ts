import { describeError } from './platform-client.ts';
import { createProgram } from './program.ts';

/** Runs the command line; one clear line and a non-zero exit code when it fails. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.stderr.write(`fairlead: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}
