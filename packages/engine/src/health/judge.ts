// The health of any object under the settings of `argocd-cm`: a script of theirs first, then the checks of this room.
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

/** Objects are never changed in place, so each is judged once by the same scripts. */
export class HealthJudge {
  readonly #lua: LuaRunner;
  #scripts: readonly HealthScript[] = [];
  #known = new WeakMap<KubeObject, { readonly verdict: Health | undefined }>();

  constructor(lua: LuaRunner) {
    this.#lua = lua;
  }

  /** Other scripts from now on. */
  follow(scripts: readonly HealthScript[]): void {
    this.#scripts = scripts;
    this.#known = new WeakMap();
  }

  readonly of: HealthOf = (object) => {
    const script = this.#scriptFor(object);
    if (!script || object.metadata.deletionTimestamp) return healthOf(object);
    const known = this.#known.get(object);
    if (known) return known.verdict;
    const verdict = this.#run(script.source, object);
    this.#known.set(object, { verdict });
    return verdict;
  };

  /** An exact one wins over a pattern. */
  #scriptFor(object: KubeObject): HealthScript | undefined {
    if (this.#scripts.length === 0) return undefined;
    const { group, kind } = gvkOf(object);
    const exact = this.#scripts.find((script) => script.group === group && script.kind === kind);
    return exact ?? this.#scripts.find((script) => isHit(script.group, group) && isHit(script.kind, kind));
  }

  #run(source: string, object: KubeObject): Health | undefined {
    try {
      const found = this.#lua.run(source, { obj: object });
      const status = textAt(found, 'status');
      if (status === '') return undefined;
      const code = healthCodes.find((known) => known === status);
      return code ? health(code, textAt(found, 'message')) : health('Unknown', 'Lua returned an invalid health status');
    } catch (error) {
      return health('Unknown', `health script of argocd-cm: ${errorMessage(error)}`);
    }
  }
}

/** Scripts may give numbers, too. */
const textAt = (found: unknown, field: string): string => String(valueAt(found, field) ?? '');

const isHit = (pattern: string, text: string) =>
  pattern.includes('*') && picomatch.isMatch(text, pattern, { bash: true });
