// The command that installs a runtime, as a value, and how far the installation is by what the platform knows of it.
import type { RuntimeRow } from '@fairlead/contracts';
import type { StepLine } from '../../ui/index.ts';

export type Place = 'cluster' | 'embedded';

interface Wanted {
  readonly place: Place;
  readonly name: string;
  readonly platformUrl: string;
  readonly token: string | undefined;
  /** The cluster has an Argo CD already. */
  readonly besideArgoCd: boolean;
}

export function installCommand({ place, name, platformUrl, token, besideArgoCd }: Wanted): string {
  const words = ['npx fairlead runtime install', `--name ${name}`];
  if (place === 'embedded') return [...words, '--embedded'].join(' ');
  words.push('--background', `--platform ${platformUrl}`, `--token ${token ?? ''}`);
  if (besideArgoCd) words.push('--argo-cd-url https://ARGO-CD', '--argo-cd-token-file FILE');
  return words.join(' ');
}

const namePattern = /^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$/;

/** What is wrong with a name, in words; undefined when it can be taken. A pending runtime may be installed again. */
export function nameProblem(name: string, runtimes: readonly RuntimeRow[]): string | undefined {
  if (name === '') return undefined;
  if (!namePattern.test(name)) {
    return 'Lower-case letters, digits and hyphens, at most 38, beginning with a letter and not ending with a hyphen.';
  }
  const taken = runtimes.find((row) => row.name === name && row.status !== 'pending');
  return taken ? `The account has a runtime ${name} already (${taken.status}); choose another name.` : undefined;
}

/** An embedded runtime runs beside the platform: only where this browser is on the same machine. */
export function placesFor(hostname: string): readonly Place[] {
  const isLaptop = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
  return isLaptop ? ['cluster', 'embedded'] : ['cluster'];
}

/** In the order in which they happen; the first that is not done is under way. */
export function installSteps(row: RuntimeRow | undefined): readonly StepLine[] {
  const done = [
    { title: 'Registers with its token', isDone: row !== undefined && row.status !== 'pending' },
    { title: 'Opens its tunnel', isDone: row?.status === 'connected' },
    { title: 'Reports what it holds', isDone: row?.report !== undefined },
  ];
  const next = done.findIndex(({ isDone }) => !isDone);
  return done.map(({ title, isDone }, index) => ({
    title,
    status: isDone ? 'done' : index === next ? 'running' : 'waiting',
  }));
}

/** What usually stands in the way, by how far it came. */
export function whatToDo(row: RuntimeRow | undefined, { place, platformUrl }: Pick<Wanted, 'place' | 'platformUrl'>) {
  if (place === 'embedded') {
    return [
      'The command must run on the machine of this platform, as the same user; it says what stands in the way.',
      'With another home folder than ~/.fairlead, add --home DIR.',
    ];
  }
  if (row !== undefined && row.status !== 'pending') {
    return [
      `It is registered, but its tunnel is not up: the machine must be allowed to open WebSockets to ${platformUrl}, through its proxy too.`,
      'Its process must still be running on that machine: fairlead runtime start NAME there starts it again, and the command named its log folder.',
    ];
  }
  return [
    'Look at the terminal: the command says in one line what stands in the way.',
    `The machine must reach ${platformUrl}: curl ${platformUrl}/healthz answers there.`,
    'The kubeconfig must allow making a namespace and Secrets: kubectl auth can-i create secrets -n fairlead.',
  ];
}
