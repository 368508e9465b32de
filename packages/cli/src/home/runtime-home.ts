// The folder of a runtime beside the laptop's first one: what is wanted of it (written by commands), how it is (written by
// the supervisor), and everything it keeps. Commands and supervisor meet in these two files only, so that a wish outlives
// either of them.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, readJson, writeJson } from './home.ts';

export interface RuntimeHome {
  readonly name: string;
  readonly dir: string;
  readonly dataDir: string;
  readonly logsDir: string;
  readonly kubeconfigFile: string;
  readonly engineTokenFile: string;
  readonly portsFile: string;
}

export type Wanted = 'running' | 'stopped' | 'gone';

export interface RuntimeState {
  readonly phase: 'starting' | 'connected' | 'stopped' | 'leaving' | 'failed';
  /** What stands in the way. */
  readonly message?: string;
}

/** Of a runtime whose cluster is elsewhere: the command that was started holds it up, not the supervisor of the home. */
export function attachedHomeOf(home: Home, name: string): RuntimeHome {
  return placeAt(join(home.dir, 'attached', name), name);
}

const runtimesDir = (home: Home) => join(home.dir, 'runtimes');

export function runtimeHomeOf(home: Home, name: string): RuntimeHome {
  return placeAt(join(runtimesDir(home), name), name);
}

function placeAt(dir: string, name: string): RuntimeHome {
  return {
    name,
    dir,
    dataDir: join(dir, 'data'),
    logsDir: join(dir, 'logs'),
    kubeconfigFile: join(dir, 'kubeconfig'),
    engineTokenFile: join(dir, 'engine-token'),
    portsFile: join(dir, 'ports.json'),
  };
}

export function runtimeHomes(home: Home): RuntimeHome[] {
  if (!existsSync(runtimesDir(home))) return [];
  const folders = readdirSync(runtimesDir(home), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => runtimeHomeOf(home, name));
}

export function prepareRuntimeHome({ dataDir, logsDir }: RuntimeHome): void {
  for (const dir of [dataDir, logsDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
}

const wishFile = ({ dir }: RuntimeHome) => join(dir, 'wanted.json');
const stateFile = ({ dir }: RuntimeHome) => join(dir, 'state.json');

/** A folder without a wish is what an uninstall left that was killed at its very end. */
export function wantedOf(place: RuntimeHome): Wanted {
  return readJson<{ wanted: Wanted }>(wishFile(place))?.wanted ?? 'gone';
}

export function want(place: RuntimeHome, wanted: Wanted): void {
  prepareRuntimeHome(place);
  writeJson(wishFile(place), { wanted });
}

export function stateOf(place: RuntimeHome): RuntimeState | undefined {
  return readJson<RuntimeState>(stateFile(place));
}

export function tellState(place: RuntimeHome, state: RuntimeState): void {
  writeJson(stateFile(place), state);
}

/** The wish goes last: killed in between, the next start goes on removing. */
export function removeRuntimeHome(place: RuntimeHome): void {
  const others = readdirSync(place.dir).filter((name) => join(place.dir, name) !== wishFile(place));
  for (const name of others) rmSync(join(place.dir, name), { recursive: true, force: true });
  rmSync(place.dir, { recursive: true, force: true });
}
