// After a push: which applications did it move? One fetch, one tree per revision and the read sets of the last renders
// answer that for all applications of a repository; nothing is rendered and no cluster is looked at. In doubt the
// answer is yes: a wrong no would leave a change undeployed until the next poll.
import { BoundedCache } from '@fairlead/base';
import type { ApplicationSource } from '@fairlead/contracts';
import { type GitTree, stillHolds, TouchedPaths } from '../tree/index.ts';
import type { LoadedSources } from './source-loader.ts';

type OpenTree = (url: string, revision: string) => Promise<GitTree>;

/** Each commit is another input where the manifests name it. */
function namesRevision(environment: Readonly<Record<string, string>>): boolean {
  for (const name in environment) if (name.startsWith('ARGOCD_APP_REVISION')) return true;
  return false;
}

interface Since {
  readonly tree: GitTree;
  /** Undefined: each render is looked at by itself. */
  readonly touched: TouchedPaths | undefined;
}

/** What does not fit is found out again. */
const maxTrees = 1000;
const maxTouchedPaths = 100_000;

export class PushLook {
  readonly #openTree: OpenTree;
  readonly #trees = new BoundedCache<string, Promise<GitTree>>(maxTrees);
  readonly #found = new BoundedCache<string, Promise<Since>>(maxTouchedPaths);

  constructor(openTree: OpenTree) {
    this.#openTree = openTree;
  }

  async isMoved(sources: readonly ApplicationSource[], { parts, revisions }: LoadedSources): Promise<boolean> {
    if (sources.length !== parts.length) return true;
    for (const [index, source] of sources.entries()) {
      const part = parts[index];
      if (source.chart || source.repoURL.startsWith('oci://')) return true; // comes from elsewhere
      if (part && namesRevision(part.environment)) return true;
      const { tree, touched } = await this.#since(source, revisions[index] ?? '');
      const { ref } = source;
      // Nearly all are answered by the first question, without a wait; there are many.
      for (const read of [part?.inputs, ...(ref ? parts.map((other) => other?.lent[ref]) : [])])
        if (read && touched?.mayTouch(read) !== false && !(await stillHolds(read, tree))) return true;
    }
    return false;
  }

  /** Applications of a repository were loaded at one of few commits, so that this is found out once for many. */
  #since({ repoURL, targetRevision }: ApplicationSource, revision: string): Promise<Since> {
    const key = `${repoURL} ${targetRevision ?? ''} ${revision}`;
    const known = this.#found.get(key);
    if (known) return known;
    const find = async () => {
      const tree = await this.#tree(repoURL, targetRevision || 'HEAD');
      const touched = await this.#tree(repoURL, revision)
        .then((before) => TouchedPaths.between(before, tree))
        .catch(() => undefined); // a commit that is gone from the repository
      return { tree, touched };
    };
    const found = find();
    this.#found.set(key, found);
    found.then(
      ({ touched }) => this.#found.set(key, found, 1 + (touched?.size ?? 0)),
      () => this.#found.delete(key),
    );
    return found;
  }

  #tree(url: string, revision: string): Promise<GitTree> {
    const key = `${url} ${revision}`;
    const known = this.#trees.get(key);
    if (known) return known;
    const tree = this.#openTree(url, revision);
    this.#trees.set(key, tree);
    tree.catch(() => this.#trees.delete(key));
    return tree;
  }
}
