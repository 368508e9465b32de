// Which repositories hold the manifest of each application: those of the application that brought it, or that brought the
// ApplicationSet which generates it. From the local copy alone; when what an application brings, or where from, is different,
// those that it brings have to be looked at again.
import { type Application, asApplication } from '@fairlead/contracts';
import type { Informer, KubeObject } from '@fairlead/kube';
import { generatorOf, parentOf, repositoriesOf } from '../definitions/index.ts';

export class Bringers {
  readonly #informer: Pick<Informer, 'get' | 'list'>;
  readonly #engineNamespace: string;
  /** Which application brings an ApplicationSet; as many as there are ApplicationSets. */
  readonly #ofSets = new Map<string, string>();

  /** `engineNamespace`: where applications are whose tracking names no namespace. */
  constructor(informer: Pick<Informer, 'get' | 'list'>, engineNamespace: string) {
    this.#informer = informer;
    this.#engineNamespace = engineNamespace;
  }

  /** Takes up what is there now. */
  begin(): void {
    for (const object of this.#informer.list()) this.#noteSets(asApplication(object), undefined);
  }

  /** Empty: nothing in Git is known to have brought it. */
  repositories(application: Application): readonly string[] {
    const key = this.#bringerOf(application);
    const bringer = key === undefined ? undefined : this.#informer.get(`argoproj.io/Application/${key}`);
    return bringer ? repositoriesOf(asApplication(bringer)) : [];
  }

  /** Keys of the applications to look at again after this change. */
  note(object: KubeObject, old: KubeObject | undefined, isGone: boolean): string[] {
    const now = isGone ? undefined : asApplication(object);
    const before = old && asApplication(old);
    if (wordsOf(now) === wordsOf(before)) return [];
    const lost = this.#broughtBy(keyOf(object));
    this.#noteSets(now, before);
    return [...new Set([...lost, ...this.#broughtBy(keyOf(object))])];
  }

  #broughtBy(key: string): string[] {
    const isBrought = (each: KubeObject) => this.#bringerOf(asApplication(each)) === key;
    return this.#informer.list().filter(isBrought).map(keyOf);
  }

  #noteSets(now: Application | undefined, before: Application | undefined): void {
    for (const set of before ? setsOf(before) : []) this.#ofSets.delete(set);
    for (const set of now ? setsOf(now) : []) this.#ofSets.set(set, keyOf(now as Application)); // it has sets
  }

  #bringerOf(application: Application): string | undefined {
    const parent = parentOf(application);
    if (parent) return `${parent.namespace ?? this.#engineNamespace}/${parent.name}`;
    const generator = generatorOf(application);
    return generator && this.#ofSets.get(`${application.metadata.namespace ?? ''}/${generator}`);
  }
}

/** Equal for applications that bring nothing, and for those that bring the same sets from the same places. */
function wordsOf(application: Application | undefined): string {
  const brings = application?.status?.resources?.some(
    ({ kind }) => kind === 'Application' || kind === 'ApplicationSet',
  );
  return application && brings ? [...repositoriesOf(application), '', ...setsOf(application)].join(' ') : '';
}

const setsOf = ({ status }: Application): string[] =>
  (status?.resources ?? [])
    .filter(({ kind }) => kind === 'ApplicationSet')
    .map(({ namespace = '', name }) => `${namespace}/${name}`);

const keyOf = ({ metadata }: Pick<KubeObject, 'metadata'> | Application) =>
  `${metadata.namespace ?? ''}/${metadata.name}`;
