// A runtime whose cluster is elsewhere and whose components run on this machine: where its cluster and its platform are, and
// which process holds it up. The folder is kept until `runtime uninstall`, whichever of its steps was reached.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, readJson, writeJson } from './home.ts';
import { isFairlead } from './lock.ts';
import { attachedHomeOf, type RuntimeHome } from './runtime-home.ts';

export interface Attachment {
  readonly platformUrl: string;
  /** Absolute. */
  readonly kubeconfigFile: string;
  readonly context: string;
  /** Of the cluster, for people. */
  readonly server: string;
  readonly argoCd?: { readonly url: string; readonly tokenFile: string };
}

const attachmentFile = ({ dir }: RuntimeHome) => join(dir, 'attachment.json');
const holderFile = ({ dir }: RuntimeHome) => join(dir, 'holder.json');

export function attachedHomes(home: Home): RuntimeHome[] {
  const dir = join(home.dir, 'attached');
  if (!existsSync(dir)) return [];
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => attachedHomeOf(home, name));
}

export const attachmentOf = (place: RuntimeHome): Attachment | undefined => readJson<Attachment>(attachmentFile(place));

export function keepAttachment(place: RuntimeHome, attachment: Attachment): void {
  writeJson(attachmentFile(place), attachment);
}

/** The process that holds the runtime up now, if any. */
export function holderOf(place: RuntimeHome): number | undefined {
  const pid = readJson<{ pid: number }>(holderFile(place))?.pid;
  return pid !== undefined && isFairlead(pid) ? pid : undefined;
}

export function holdAttached(place: RuntimeHome): void {
  writeJson(holderFile(place), { pid: process.pid });
}

export function letGoAttached(place: RuntimeHome): void {
  rmSync(holderFile(place), { force: true });
}
