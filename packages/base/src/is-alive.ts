import { readFileSync } from 'node:fs';

/** Whether a process runs, whoever owns it. One that has ended and that nobody has waited for yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^State:\s+Z/m.test(statusOf(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // not Linux, or it ended in between: the signal had the last word
  }
}
