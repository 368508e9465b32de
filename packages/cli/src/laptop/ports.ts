// Ports of a home are chosen once and kept, so that kubeconfig, git remotes and bookmarks stay valid.
import { createServer } from 'node:http';
import { FairleadError, freePort, isPortFree, listen, type Random } from '@fairlead/base';
import { type Home, readJson, writeJson } from '../home/index.ts';

/** What each runtime has; the platform, its database and the git server are there once. */
const runtimePortNames = [
  'cluster',
  'engine',
  'sourceServer',
  'appProxy',
  'router',
  'tunnelClient',
  'resourceReporter',
  'changeRevision',
] as const;
export const portNames = ['platform', 'postgres', 'git', ...runtimePortNames] as const;
export type PortName = (typeof portNames)[number];
export type Ports = Readonly<Record<PortName, number>>;

interface ChooseOptions {
  /** Undefined: keep what the home has, or `defaultPlatformPort`. 0: any free one. */
  readonly platformPort: number | undefined;
  readonly defaultPlatformPort: number;
  readonly random: Random;
}

export async function choosePorts(home: Home, options: ChooseOptions): Promise<Ports> {
  const kept = readJson<Partial<Ports>>(home.portsFile) ?? {};
  const chosen: Partial<Record<PortName, number>> = {};
  const { platform: _, ...others } = kept;
  chosen.platform = await platformPort(kept.platform, Object.values(others), options);
  for (const name of portNames.filter((each) => each !== 'platform')) {
    chosen[name] = await portFor(name, { kept, chosen, random: options.random });
  }
  const ports = chosen as Ports; // every name was filled above
  writeJson(home.portsFile, ports);
  return ports;
}

export type RuntimePorts = Readonly<Record<(typeof runtimePortNames)[number], number>>;

/** The ports of a runtime beside the first one, kept in its own file. */
export async function chooseRuntimePorts(file: string, random: Random): Promise<RuntimePorts> {
  const kept = readJson<Partial<RuntimePorts>>(file) ?? {};
  const chosen: Partial<Record<keyof RuntimePorts, number>> = {};
  for (const name of runtimePortNames) {
    chosen[name] = await portFor(name, { kept, chosen, random });
  }
  const ports = chosen as RuntimePorts; // every name was filled above
  writeJson(file, ports);
  return ports;
}

/** Somebody may take a port between our look and our use: the next look sees it and moves. */
export async function onFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      const isLostRace = error instanceof FairleadError && error.code === 'listen_failed';
      if (!isLostRace || attempt === 3) throw error;
    }
  }
}

/** Of the components that live on a cluster. */
export const componentPorts = (ports: RuntimePorts): readonly number[] =>
  runtimePortNames.filter((name) => name !== 'cluster').map((name) => ports[name]);

/** Sits where others will listen later, so that nobody takes their place meanwhile; the returned function gets up. */
export async function holdPorts(ports: readonly number[]): Promise<() => Promise<void>> {
  const held: Awaited<ReturnType<typeof listen>>[] = [];
  const letGo = async () => {
    await Promise.all(held.map((each) => each.close(0)));
  };
  try {
    for (const port of ports) {
      const server = createServer().on('connection', (socket) => socket.destroy());
      held.push(await listen(server, { port }));
    }
    return letGo;
  } catch (error) {
    await letGo();
    throw error;
  }
}

async function platformPort(kept: number | undefined, taken: number[], options: ChooseOptions): Promise<number> {
  const { platformPort: asked, defaultPlatformPort, random } = options;
  if (asked === 0)
    return kept && kept !== defaultPlatformPort && (await isPortFree(kept)) ? kept : freePort({ taken, random });
  const port = asked ?? kept ?? defaultPlatformPort;
  if (await isPortFree(port)) return port;
  throw new FairleadError(
    'port_in_use',
    `port ${port} is taken by another program; stop it, or choose another port: npm start -- --port N (0 picks a free one)`,
  );
}

interface Choice {
  readonly kept: Partial<Ports>;
  /** Of those before it. */
  readonly chosen: Partial<Ports>;
  readonly random: Random;
}

async function portFor(name: PortName, { kept, chosen, random }: Choice): Promise<number> {
  const taken = Object.values(chosen);
  const own = kept[name];
  // What another has kept is not given away, though nobody sits there while all are down.
  if (own === undefined) return freePort({ taken: [...taken, ...Object.values(kept)], random });
  const isOurs = taken.includes(own); // `--port` named it
  if (!isOurs && (await isPortFree(own))) return own;
  // Git remotes and Applications name the git server by its URL: moving it would break them silently.
  if (name === 'git') {
    const trouble = isOurs
      ? 'cannot serve the UI too; give another one with --port'
      : 'is taken by another program; stop that program and start again';
    throw new FairleadError('port_in_use', `port ${own}, where this home serves its git repositories, ${trouble}`);
  }
  return freePort({ taken: [...taken, ...Object.values(kept)], random });
}
