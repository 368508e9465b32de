import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { partialMetadata, storedJson, table } from '../forms.ts';

export async function getObject(call: Call, { objects, clock }: ServerDeps): Promise<Answer> {
  const { type, accepted, query } = call;
  const { store } = objects;
  // An answer may tell only of what is on disk: neither of an object nor of its absence before that.
  const { latestRevision } = store.collection(type.storageKey);
  const found = objects.find(targetOf(call));
  await store.settled(found?.revision ?? latestRevision);
  const stored = found ?? objects.get(targetOf(call));
  if (accepted.form === 'json') return { status: 200, body: storedJson(stored, type) };
  if (accepted.form === 'metadata') return { status: 200, body: partialMetadata(stored.object) };
  const metadata = { resourceVersion: stored.object.metadata.resourceVersion };
  const options = { nowMs: clock.now(), include: query.get('includeObject'), metadata };
  return { status: 200, body: table(type, [stored.object], options) };
}
