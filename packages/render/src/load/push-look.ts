// After a push: which applications did it move? One fetch, one tree per revision and the read sets of the last renders
// answer that for all applications of a repository; nothing is rendered and no cluster is looked at. In doubt the
// answer is yes: a wrong no would leave a change undeployed until the next poll.
import type { ApplicationSource } from '@fairlead/contracts';
import { type GitTree, type ReadSet, stillHolds, TouchedPaths } from '../tree/index.ts';
import type { LoadedSources } from './source-loader.ts';

type OpenTree = (url: string, revision: string) => Promise<GitTree>;

/** Each commit is another input where the manifests name it. */
const namesRevision = (environment: Readonly<Record<string, string>>): boolean =>
  Object.keys(environment).some((name) => name.startsWith('ARGOCD_APP_REVISION'));

export class PushLook {
  readonly #openTree: OpenTree;
  readonly #trees = new Map<string, Promise<GitTree>>();
  readonly #touched = new Map<string, Promise<TouchedPaths | undefined>>();

  constructor(openTree: OpenTree) {
    this.#openTree = openTree;
  }

  async isMoved(sources: readonly ApplicationSource[], { parts, revisions }: LoadedSources): Promise<boolean> {
    if (sources.length !== parts.length) return true;
    for (const [index, source] of sources.entries()) {
      const part = parts[index];
      if (source.chart || source.repoURL.startsWith('oci://')) return true; // comes from elsewhere
      const tree = await this.#tree(source.repoURL, source.targetRevision || 'HEAD');
      const touched = await this.#touchedSince(source.repoURL, revisions[index] ?? '', tree);
      const isOther = async (read: ReadSet) => touched?.mayTouch(read) !== false && !(await stillHolds(read, tree));
      if (part && (namesRevision(part.environment) || (await isOther(part.inputs)))) return true;
      for (const { lent } of parts.filter((other) => other !== undefined)) {
        const read = source.ref ? lent[source.ref] : undefined;
        if (read && (await isOther(read))) return true;
      }
    }
    return false;
  }

  /** Applications of a repository were loaded at one of few commits, so that this is found out once for many. */
  #touchedSince(url: string, revision: string, tree: GitTree): Promise<TouchedPaths | undefined> {
    const key = `${url} ${revision} ${tree.id}`;
    const known = this.#touched.get(key);
    if (known) return known;
    const touched = this.#tree(url, revision)
      .then((before) => TouchedPaths.between(before, tree))
      .catch(() => undefined); // a commit that is gone from the repository: each render is looked at by itself
    this.#touched.set(key, touched);
    return touched;
  }

  #tree(url: string, revision: string): Promise<GitTree> {
    const key = `${url} ${revision}`;
    const known = this.#trees.get(key);
    if (known) return known;
    const tree = this.#openTree(url, revision);
    this.#trees.set(key, tree);
    return tree;
  }
}
