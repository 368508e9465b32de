// From what a batch of reports changed to what people should know. Pure.
import type { News } from './notify.ts';

interface Seen {
  readonly accountId: string;
  readonly runtimeId: string;
  readonly runtime: string;
  readonly namespace: string;
  readonly name: string;
}

const subjectOf = ({ runtimeId, namespace, name }: Seen, what: string) => `${what} ${runtimeId} ${namespace}/${name}`;
const common = ({ accountId, runtimeId, namespace, name }: Seen) => ({
  accountId,
  runtimeId,
  key: `${namespace}/${name}`,
});

/** Nothing for a first report: what was bad before anybody looked is no news. */
export function healthNews(seen: Seen, health: { before: string; now: string; note?: string | undefined }): News[] {
  const { before, now, note } = health;
  if (before === now || (now !== 'Degraded' && now !== 'Healthy')) return [];
  const isBad = now === 'Degraded';
  return [
    {
      ...common(seen),
      kind: isBad ? 'application-degraded' : 'application-recovered',
      subject: subjectOf(seen, 'health'),
      title: `${seen.name} ${isBad ? 'is degraded' : 'is healthy again'}`,
      ...(isBad && note ? { message: note } : {}),
    },
  ];
}

/** Each failed operation is a subject of its own. */
export function syncNews(seen: Seen, operation: { startedAt: string; message?: string | undefined }): News {
  return {
    ...common(seen),
    kind: 'sync-failed',
    subject: `${subjectOf(seen, 'sync')} ${operation.startedAt}`,
    title: `Sync of ${seen.name} failed`,
    ...(operation.message ? { message: operation.message } : {}),
  };
}
