// The app-proxy's own judgement, whatever the platform thought of the act: by the rules of the repository that the runtime
// follows and by the Application in its own cluster, with the evaluator that the platform has too.
// Of the platform's word it takes who the person is, their role and their teams; there is no "allowed" to believe.
// An act is allowed by rules that are at most `allowedByMs` old; it is refused only by rules that were read for it.
import { Counter, type Logger, type Registry } from '@fairlead/base';
import {
  type Application,
  type ApplicationAction,
  type ApplicationId,
  type AppProxyRoute,
  type AssertionClaims,
  adminsOnly,
  applicationActions,
  applicationObject,
  argoGroup,
  asApplication,
  decide,
  deniedWords,
  namedIn,
  namedObject,
  noApplicationWords,
  noNamedWords,
  type Policy,
} from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { FollowedAccess, FollowedAccessRules } from '../shared-config/index.ts';
import { ProxyError } from './errors.ts';
import type { GitJudgement } from './git-judgement.ts';

interface JudgeDeps {
  readonly rules: Pick<FollowedAccessRules, 'read'>;
  readonly git: GitJudgement;
  readonly cluster: () => KubeClient;
  readonly registry: Registry;
  readonly log: Logger;
}

export interface JudgedAct {
  readonly route: AppProxyRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly user: AssertionClaims;
  /** The name of this runtime. */
  readonly runtime: string;
  readonly signal: AbortSignal;
}

const allowedByMs = 3_000;

export class Judge {
  readonly #deps: JudgeDeps;
  readonly #refused: Counter<'act'>;

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
    this.#refused = new Counter({
      name: 'fairlead_app_proxy_judged_no_total',
      help: 'Acts that the platform passed on and that this runtime refused by its own judgement',
      labelNames: ['act'],
      registers: [deps.registry],
    });
  }

  /** Throws what the platform would answer: `forbidden` with the rule, `not_found` for what the user may not view. */
  async judge(act: JudgedAct): Promise<void> {
    const { route, user } = act;
    if (user.role === 'admin') return;
    if (route.needs === 'admin') throw this.#noted(act, new ProxyError('forbidden', adminsOnly));
    const refusal = (await this.#refusal(act, allowedByMs)) && (await this.#refusal(act, 0));
    if (refusal) throw this.#noted(act, refusal);
  }

  async #refusal(act: JudgedAct, maxAgeMs: number): Promise<ProxyError | undefined> {
    const { route, params, user, runtime, signal } = act;
    const access = await this.#deps.rules.read(runtime, { signal, maxAgeMs });
    const action = applicationActions.find((known) => known === route.needs);
    if (action !== undefined) return this.#refusalOf(act, action, access);
    const policy = policyOf(access);
    const hidden = namedIn(route.needs, { ...params, runtime }).find(
      (named) => !decide(policy, { ...questionOf(user, 'VIEW'), entity: named.entity }, namedObject(named)).allowed,
    );
    return hidden && new ProxyError('not_found', noNamedWords(hidden));
  }

  async #refusalOf(act: JudgedAct, action: ApplicationAction, access: FollowedAccess): Promise<ProxyError | undefined> {
    if (access.rules.length === 0 && !access.needsGitRights) return undefined;
    const { params, user, runtime, signal } = act;
    const id = { runtime, namespace: params['namespace'] ?? '', name: params['name'] ?? '' };
    const application = await this.#application(id, signal);
    if (!application) return new ProxyError('not_found', noApplicationWords(id));
    const { metadata, spec } = application;
    const object = applicationObject(runtime, { name: id.name, labels: metadata.labels ?? {}, spec });
    const ask = (asked: ApplicationAction) => decide(policyOf(access), questionOf(user, asked), object);
    if (!ask('VIEW').allowed) return new ProxyError('not_found', noApplicationWords(id));
    const decision = ask(action);
    if (!decision.allowed) {
      const details = decision.rule === undefined ? {} : { details: { rule: decision.rule } };
      return new ProxyError('forbidden', deniedWords(action, id, decision), details);
    }
    if (!access.needsGitRights) return undefined;
    return this.#deps.git.refusal({ application, id, action, user, signal });
  }

  async #application({ namespace, name }: ApplicationId, signal: AbortSignal): Promise<Application | undefined> {
    const ref = { group: argoGroup, version: 'v1alpha1', kind: 'Application', namespace, name };
    const found = await this.#deps.cluster().find(ref, { signal });
    return found && asApplication(found);
  }

  #noted({ route, params, user }: JudgedAct, refusal: ProxyError): ProxyError {
    const { requestId, sub, name, teams } = user;
    const said = { requestId, act: route.act, params, user: { id: sub, name, teams }, code: refusal.code };
    this.#refused.inc({ act: route.act });
    this.#deps.log.warn({ ...said, reason: refusal.message }, 'an act that the platform passed on is refused');
    return refusal;
  }
}

/** Whether an account without allow rules is closed to its members only the platform knows, and judges. */
const policyOf = ({ rules }: FollowedAccess): Policy => ({ default: 'open', rules });

const questionOf = ({ teams }: AssertionClaims, action: ApplicationAction) =>
  ({ subject: { isAdmin: false, teams }, entity: 'application', action }) as const;
