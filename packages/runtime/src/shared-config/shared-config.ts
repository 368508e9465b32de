// The Shared Configuration Repository as a runtime uses it: found by the runtime's own configuration Application (there
// is no second record of it), read and changed as the acting user. After a commit the engine is asked to look at once;
// that is a courtesy, what follows from the commit follows without it too.
import { errorMessage, type Logger } from '@fairlead/base';
import {
  type AccessRulesReport,
  type Application,
  argoGroup,
  asApplication,
  type CommitReceipt,
} from '@fairlead/contracts';
import type { FileChange } from '@fairlead/git';
import { isAlreadyExists, type KubeClient, type KubeObject } from '@fairlead/kube';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import {
  clusterApplicationName,
  configurationApplication,
  configurationApplicationName,
  formatSharedConfigUrl,
  inClusterName,
  placed,
  type RuntimePlace,
  type SharedConfigAddress,
  sharedConfigOf,
} from '../configuration/index.ts';
import { type Actor, type GitAccess, GitAccessError } from '../git-access/index.ts';
import { ConfigurationError } from './errors.ts';
import { AccessRuleFiles } from './read-access-rules.ts';

interface SharedConfigOptions {
  readonly cluster: () => KubeClient;
  readonly engine: ArgoCdClient;
  readonly git: GitAccess;
  /** Of Applications. */
  readonly namespace: string;
  readonly log: Logger;
}

interface Call {
  readonly signal: AbortSignal;
}

export interface ConfigurationChange {
  /** Below the folder of the address; null removes. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
  /** The commit that the user looked at. */
  readonly base?: string | undefined;
}

export interface ConfigurationFile {
  readonly text: string;
  /** The commit it was read at. */
  readonly commit: string;
}

export class SharedConfig {
  readonly #options: SharedConfigOptions;
  readonly #accessRules = new AccessRuleFiles();

  constructor(options: SharedConfigOptions) {
    this.#options = options;
  }

  get namespace(): string {
    return this.#options.namespace;
  }

  /** Undefined until a Git provider was connected. */
  async find(runtime: string, { signal }: Call): Promise<RuntimePlace | undefined> {
    const application = await this.#application(configurationApplicationName(runtime), signal);
    const sharedConfig = application && sharedConfigOf(application, runtime);
    return sharedConfig && { runtime, namespace: this.#options.namespace, sharedConfig };
  }

  async require(runtime: string, call: Call): Promise<RuntimePlace> {
    const place = await this.find(runtime, call);
    if (place) return place;
    throw new ConfigurationError(
      'conflict',
      `runtime ${runtime} has no Shared Configuration Repository yet; connect a Git provider first: fairlead setup`,
    );
  }

  async readFile(
    actor: Actor,
    place: RuntimePlace,
    file: string,
    { signal }: Call,
  ): Promise<ConfigurationFile | undefined> {
    const { repoURL, branch, path } = place.sharedConfig;
    const { repository, commit } = await this.#options.git.read(actor, { repoURL, revision: branch }, { signal });
    const full = placed(path, file);
    const slash = full.lastIndexOf('/');
    const entries = await repository.tree(commit, slash < 0 ? '' : full.slice(0, slash));
    const entry = entries?.find(({ name, kind }) => name === full.slice(slash + 1) && kind === 'blob');
    return entry && { text: (await repository.readBlob(entry.id)).toString('utf8'), commit };
  }

  /** The access rules as the repository has them now, for a user who may read it; with the commit they were read at. */
  async readAccessRules(
    actor: Actor,
    { sharedConfig: address }: RuntimePlace,
    call: Call,
  ): Promise<{ report: AccessRulesReport; commit: string }> {
    const wanted = { repoURL: address.repoURL, revision: address.branch };
    const { repository, commit } = await this.#options.git.read(actor, wanted, call);
    return { report: await this.#accessRules.read(repository, { address, commit }, call), commit };
  }

  async commit(
    actor: Actor,
    place: RuntimePlace,
    change: ConfigurationChange,
    { signal }: Call,
  ): Promise<CommitReceipt> {
    const { repoURL, branch, path } = place.sharedConfig;
    const changes: FileChange[] = Object.entries(change.files).map(([file, content]) => ({
      path: placed(path, file),
      content,
    }));
    const wish = { repoURL, branch, changes, message: change.message, base: change.base };
    const receipt = await this.#options.git.commit(actor, wish, { signal });
    void this.#lookNow(place.runtime, signal); // never rejects; nothing waits for it
    return receipt;
  }

  /** Of these files, those that the repository does not have; all of them while it is empty. */
  async missing(
    actor: Actor,
    place: RuntimePlace,
    files: Readonly<Record<string, string>>,
    call: Call,
  ): Promise<Record<string, string>> {
    const wanted = Object.entries(files);
    try {
      const found = await Promise.all(wanted.map(([file]) => this.readFile(actor, place, file, call)));
      return Object.fromEntries(wanted.filter((_, index) => found[index] === undefined));
    } catch (error) {
      // No such branch: nothing is there yet.
      if (error instanceof GitAccessError && error.code === 'invalid') return { ...files };
      throw error;
    }
  }

  /** From here on the runtime follows the repository. Once it follows one, it cannot be pointed at another. */
  async follow(runtime: string, sharedConfig: SharedConfigAddress, { signal }: Call): Promise<void> {
    const application = configurationApplication({ runtime, namespace: this.#options.namespace, sharedConfig });
    try {
      await this.#options.cluster().create(application as KubeObject, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Refuses another address than the one that is followed. */
  async assertFree(runtime: string, wanted: SharedConfigAddress, call: Call): Promise<void> {
    const known = await this.find(runtime, call);
    if (!known || formatSharedConfigUrl(known.sharedConfig) === formatSharedConfigUrl(wanted)) return;
    throw new ConfigurationError(
      'conflict',
      `sharedConfigRepo: runtime ${runtime} follows ${formatSharedConfigUrl(known.sharedConfig)}; once connected it stays`,
      { details: { field: 'sharedConfigRepo' } },
    );
  }

  async hasApplication(name: string, { signal }: Call): Promise<boolean> {
    return (await this.#application(name, signal)) !== undefined;
  }

  async #application(name: string, signal: AbortSignal): Promise<Application | undefined> {
    const ref = {
      group: argoGroup,
      version: 'v1alpha1',
      kind: 'Application',
      namespace: this.#options.namespace,
      name,
    };
    const found = await this.#options.cluster().find(ref, { signal });
    return found && asApplication(found);
  }

  async #lookNow(runtime: string, signal: AbortSignal): Promise<void> {
    const { engine, namespace, log } = this.#options;
    const names = [configurationApplicationName(runtime), clusterApplicationName(runtime, inClusterName)];
    const asked = names.map((name) => engine.refresh({ namespace, name }, 'normal', { signal }));
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === 'rejected') {
        log.info({ reason: errorMessage(outcome.reason) }, 'the engine will see a commit at its next poll');
      }
    }
  }
}
