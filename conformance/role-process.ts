// Roles as processes of their own, for tests and benches. None outlives who started it, however that one ends (a test that
// times out, a killed runner): a role with an IPC channel takes its starter for a supervisor and stops when the channel
// closes. A frozen one (SIGSTOP) could not, and is killed when its starter exits.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../packages/cli/bin/fairlead.mjs');

interface RoleProcessOptions {
  readonly stdout?: 'ignore' | 'pipe';
  readonly stderr?: 'ignore' | 'pipe' | 'inherit';
  readonly nodeFlags?: readonly string[];
}

export function spawnRole(
  role: string,
  flags: readonly string[],
  { stdout = 'ignore', stderr = 'ignore', nodeFlags = [] }: RoleProcessOptions = {},
): ChildProcess {
  const stdio = ['ignore' as const, stdout, stderr, 'ipc' as const];
  const child = spawn(process.execPath, [...nodeFlags, program, 'role', role, ...flags], { stdio });
  child.channel?.unref(); // it must not keep its starter alive
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return child;
}
