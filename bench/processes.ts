// What a tree of processes costs, read from /proc: PSS (shared pages counted once) and CPU time.
import { readdirSync, readFileSync } from 'node:fs';

export interface Cost {
  readonly pssMiB: number;
  readonly cpuSeconds: number;
  readonly processes: number;
}

const ticksPerSecond = 100;

/** `rootPid` and everything below it, also what was re-parented but carries `marker` in its command line. */
export function costOf(rootPid: number): Cost {
  const pids = [rootPid, ...descendants(rootPid)];
  const costs = pids.map((pid) => ({ pss: pssKiB(pid), cpu: cpuTicks(pid) }));
  return {
    pssMiB: costs.reduce((sum, each) => sum + each.pss, 0) / 1024,
    cpuSeconds: costs.reduce((sum, each) => sum + each.cpu, 0) / ticksPerSecond,
    processes: pids.length,
  };
}

function descendants(rootPid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = Number(statOf(Number(entry))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(rootPid);
}

/** Fields of /proc/PID/stat after the command name: state, ppid, … */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // ended while we looked
  }
}

/** Own and waited-for children's time, user and system. */
function cpuTicks(pid: number): number {
  const fields = statOf(pid);
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
}

function pssKiB(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // ended, or a kernel thread
  }
}
