// Clones as somebody has them who works by hand, beside what the API does.
import { Repository } from '../engine/world.ts';
import type { House } from './world.ts';

export class ByHand {
  readonly #house: House;
  readonly #repositories = new Map<string, Repository>();

  constructor(house: House) {
    this.#house = house;
  }

  urlOf(name: string): string {
    return `${this.#house.world.gitUrl}/fairlead/${name}.git`;
  }

  /** Makes it, with its first files. */
  async begin(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    const made = await this.#house.world.repository(`fairlead/${name}`);
    this.#repositories.set(name, made);
    await made.push(files);
  }

  async clone(name: string): Promise<void> {
    const { work } = await this.#house.world.repository(`by-hand/${name}`);
    this.#repositories.set(name, new Repository(work, this.urlOf(name)));
    await this.pull(name);
  }

  repository(name: string): Repository {
    const found = this.#repositories.get(name);
    if (!found) throw new Error(`no clone of ${name}`);
    return found;
  }

  /** The head of the branch. */
  async pull(name: string): Promise<string> {
    const { work } = this.repository(name);
    await work.git('fetch', '--quiet', this.#withKey(name), 'main');
    await work.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    return work.git('rev-parse', 'HEAD');
  }

  async revert(name: string, commit = 'HEAD'): Promise<void> {
    await this.pull(name);
    const { work } = this.repository(name);
    await work.git('revert', '--no-edit', commit);
    await work.git('push', '--quiet', this.#withKey(name), 'HEAD:main');
  }

  readonly #withKey = (name: string) => this.urlOf(name).replace('//', '//test:test-key@');
}
