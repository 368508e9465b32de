// `MANIFESTS=DIR KUBE_APISERVER=… ETCD=… npm run prove -- kubernetes`: manifests of others (a folder of repositories, say)
// are created in a dry run at a real kube-apiserver and at ours, and both say the same: taken with the same defaults, or
// refused in the same words. `DIFFERENCES_FILE=FILE` keeps what does not agree.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from '@fairlead/base';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { isRecord, type KubeObject } from '@fairlead/kube';
import { parseDocuments } from '@fairlead/render';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaries, type Oracle, startOracle } from './oracle.ts';
import { play, type Server } from './play.ts';
import { type Answer, get, post, sequence } from './sequence.ts';

const found = binaries();
const { MANIFESTS: folder, DIFFERENCES_FILE: differencesFile } = process.env;
if (!found || !folder) console.info('not run: MANIFESTS, KUBE_APISERVER and ETCD are not all given');

interface Kind {
  readonly kind: string;
  readonly name: string;
  readonly namespaced: boolean;
}

describe.runIf(found && folder)('manifests of others', () => {
  let oracle: Oracle;
  let cluster: RunningCluster;
  let ours: Server;
  beforeAll(async () => {
    if (found) oracle = await startOracle(found);
    cluster = await startCluster({ controllers: 'none' });
    ours = { url: cluster.url, token: /token: (\S+)/.exec(cluster.kubeconfig)?.[1] ?? '' };
  });
  afterAll(async () => {
    await oracle?.stop();
    await cluster?.stop();
  });

  it('are taken or refused as a real kube-apiserver does', async () => {
    const differences: unknown[] = [];
    let asked = 0;
    for (const { file, object } of manifestsBelow(folder ?? '')) {
      const path = await pathOf(oracle, object);
      if (!path) continue;
      asked++;
      const one = sequence('manifests', post(`${path}?dryRun=All`, inOwnNamespace(object)));
      const [real, own] = await Promise.all([play(one, oracle), play(one, ours)]);
      if (!equal(real, own)) differences.push({ file, kind: object.kind, real: real[0], own: own[0] });
    }
    if (differencesFile) writeFileSync(differencesFile, JSON.stringify(differences, null, 1));
    console.info(`${asked} manifests, ${differences.length} differ`);
    expect(asked).toBeGreaterThan(0);
    expect(differences.slice(0, 5)).toEqual([]);
  });
});

function* manifestsBelow(dir: string): Generator<{ file: string; object: KubeObject }> {
  const seen = new Set<string>();
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(ya?ml|json)$/.test(file)) continue;
    for (const document of documentsOf(join(dir, file))) {
      const isObject = isRecord(document) && typeof document['kind'] === 'string' && isRecord(document['metadata']);
      const hash = contentHash(document);
      if (!isObject || seen.has(hash)) continue;
      seen.add(hash);
      yield { file, object: document as KubeObject }; // what it lacks is for the servers to say
    }
  }
}

/** Templates and the like are no manifests. */
function documentsOf(file: string): readonly unknown[] {
  try {
    return parseDocuments(readFileSync(file, 'utf8'), file);
  } catch {
    return [];
  }
}

const served = new Map<string, Promise<readonly Kind[]>>();

async function pathOf(server: Server, { apiVersion, kind }: KubeObject): Promise<string | undefined> {
  const root = apiVersion?.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  let kinds = served.get(root);
  if (!kinds) {
    kinds = play(sequence('discovery', get(root)), server).then(([answer]) => kindsOf(answer));
    served.set(root, kinds);
  }
  const one = (await kinds).find((each) => each.kind === kind && !each.name.includes('/'));
  if (!one) return undefined;
  return one.namespaced ? `${root}/namespaces/{ns}/${one.name}` : `${root}/${one.name}`;
}

const kindsOf = (answer: Answer | undefined): readonly Kind[] =>
  (answer?.body as { resources?: Kind[] } | undefined)?.resources ?? []; // discovery, where the group is served

function inOwnNamespace({ metadata, ...rest }: KubeObject): unknown {
  const { namespace: _, ...own } = metadata;
  return { ...rest, metadata: own };
}

const equal = (a: readonly Answer[], b: readonly Answer[]): boolean => contentHash(a) === contentHash(b);
