// Rights that follow Git (S-AZ-3), for acts: who may read the repository that holds an application's manifest may look at it
// live, who may push there may act on it. Which repository that is, Argo CD's tracking says: that of the application which
// brought it. What nothing in Git brought is for administrators.
import {
  type Application,
  type ApplicationAction,
  type ApplicationId,
  argoGroup,
  asApplication,
} from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { generatorOf, parentOf, repositoriesOf } from '../definitions/index.ts';
import { type Actor, GitAccessError, type GitRights } from '../git-access/index.ts';
import { ProxyError } from './errors.ts';

interface GitJudgementDeps {
  readonly rights: Pick<GitRights, 'may'>;
  readonly cluster: () => KubeClient;
  /** Where applications are whose tracking names no namespace. */
  readonly engineNamespace: string;
}

interface Judged {
  readonly application: Application;
  readonly id: ApplicationId;
  readonly action: ApplicationAction;
  readonly user: Actor;
  readonly signal: AbortSignal;
}

const readingActions: readonly ApplicationAction[] = ['VIEW', 'VIEW_POD_LOGS', 'REFRESH'];

export class GitJudgement {
  readonly #deps: GitJudgementDeps;

  constructor(deps: GitJudgementDeps) {
    this.#deps = deps;
  }

  async refusal({ application, id, action, user, signal }: Judged): Promise<ProxyError | undefined> {
    const { rights } = this.#deps;
    const repositories = await this.#repositories(application, signal);
    if (repositories.length === 0) {
      return refused(action, id, 'rights follow Git here, and nothing in Git brought it; ask an administrator');
    }
    const wanted = readingActions.includes(action) ? 'read' : 'write';
    try {
      for (const repoURL of repositories) {
        if (await rights.may(user, { repoURL, wanted }, { signal })) continue;
        const { host } = new URL(repoURL);
        const act = wanted === 'read' ? 'read' : 'push to';
        const reason = `your Git token may not ${act} the repository at ${host} that holds its manifest, or ${host} does not answer; ask for that right there`;
        return refused(action, id, reason);
      }
    } catch (error) {
      if (!(error instanceof GitAccessError)) throw error;
      return new ProxyError(error.code, error.message, error.details ? { details: { ...error.details } } : {});
    }
    return undefined;
  }

  async #repositories(application: Application, signal: AbortSignal): Promise<string[]> {
    const parent = parentOf(application) ?? (await this.#parentOfGenerator(application, signal));
    const found = parent && (await this.#find('Application', parent, signal));
    return found ? repositoriesOf(asApplication(found)) : [];
  }

  /** An application that an ApplicationSet generates is brought by what brought that. */
  async #parentOfGenerator(application: Application, signal: AbortSignal) {
    const name = generatorOf(application);
    const { namespace = this.#deps.engineNamespace } = application.metadata;
    const generator = name === undefined ? undefined : await this.#find('ApplicationSet', { namespace, name }, signal);
    return generator && parentOf(generator);
  }

  #find(kind: string, named: { readonly name: string; readonly namespace?: string }, signal: AbortSignal) {
    const { cluster, engineNamespace: namespace } = this.#deps;
    return cluster().find({ group: argoGroup, version: 'v1alpha1', kind, namespace, ...named }, { signal });
  }
}

const refused = (action: ApplicationAction, { runtime, namespace, name }: ApplicationId, reason: string) =>
  new ProxyError('forbidden', `you may not ${action} application ${runtime}/${namespace}/${name}: ${reason}`);
