// The health of any object under the settings of `argocd-cm`: a script of theirs first, then the checks of this room.
// Scripts run elsewhere and take their time: who is about to ask for verdicts waits for `ready` first. Who does not is told
// Progressing until the script has spoken.
import { errorMessage } from '@fairlead/base';
import { healthCodes } from '@fairlead/contracts';
import { gvkOf, type KubeObject, valueAt } from '@fairlead/kube';
import picomatch from 'picomatch';
import type { LuaRunner } from '../lua/index.ts';
import { healthOf } from './health.ts';
import { type Health, health } from './status.ts';

export interface HealthScript {
  /** May hold `*`. */
  readonly group: string;
  readonly kind: string;
  readonly source: string;
}

export type HealthOf = (object: KubeObject) => Health | undefined;
/** Until the health of these is known; undefined when it is already. Never rejects. */
export type HealthReady = (objects: readonly KubeObject[]) => Promise<void> | undefined;

interface Verdict {
  /** Undefined: the script has spoken. */
  waiting: Promise<void> | undefined;
  health: Health | undefined;
}

/** Objects are never changed in place, so each is judged once by the same scripts. */
export class HealthJudge {
  readonly #lua: LuaRunner;
  #scripts: readonly HealthScript[] = [];
  #known = new WeakMap<KubeObject, Verdict>();

  constructor(lua: LuaRunner) {
    this.#lua = lua;
  }

  /** Other scripts from now on. */
  follow(scripts: readonly HealthScript[]): void {
    this.#scripts = scripts;
    this.#known = new WeakMap();
  }

  readonly of: HealthOf = (object) => {
    const verdict = this.#verdictOn(object);
    return verdict ? verdict.health : healthOf(object);
  };

  readonly ready: HealthReady = (objects) => {
    if (this.#scripts.length === 0) return undefined;
    const waiting = objects.flatMap((object) => this.#verdictOn(object)?.waiting ?? []);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  };

  /** Undefined for objects that no script is about. */
  #verdictOn(object: KubeObject): Verdict | undefined {
    const script = object.metadata.deletionTimestamp ? undefined : this.#scriptFor(object);
    if (!script) return undefined;
    const known = this.#known.get(object);
    if (known) return known;
    const verdict: Verdict = { waiting: undefined, health: unspoken };
    verdict.waiting = this.#run(script.source, object).then((found) => {
      verdict.health = found;
      verdict.waiting = undefined;
    });
    this.#known.set(object, verdict);
    return verdict;
  }

  /** An exact one wins over a pattern. */
  #scriptFor(object: KubeObject): HealthScript | undefined {
    if (this.#scripts.length === 0) return undefined;
    const { group, kind } = gvkOf(object);
    const exact = this.#scripts.find((script) => script.group === group && script.kind === kind);
    return exact ?? this.#scripts.find((script) => isHit(script.group, group) && isHit(script.kind, kind));
  }

  async #run(source: string, object: KubeObject): Promise<Health | undefined> {
    try {
      const found = await this.#lua.run(source, { obj: object });
      const status = textAt(found, 'status');
      if (status === '') return undefined;
      const code = healthCodes.find((known) => known === status);
      return code ? health(code, textAt(found, 'message')) : health('Unknown', 'Lua returned an invalid health status');
    } catch (error) {
      return health('Unknown', `health script of argocd-cm: ${errorMessage(error)}`);
    }
  }
}

const unspoken = health('Progressing', 'waiting for the health script of argocd-cm');

/** Scripts may give numbers, too. */
const textAt = (found: unknown, field: string): string => String(valueAt(found, field) ?? '');

const isHit = (pattern: string, text: string) =>
  pattern.includes('*') && picomatch.isMatch(text, pattern, { bash: true });
