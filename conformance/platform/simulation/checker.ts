// Holds what the platform shows against the truth: lost, reordered, doubled.
import type { TestIngest } from '@fairlead/platform/testing';
import { goneMark, stateOf, type World } from './world.ts';

type Runtime = Awaited<ReturnType<TestIngest['addRuntime']>>;

export interface Findings {
  readonly lost: string[];
  readonly reordered: string[];
  readonly doubled: string[];
}

interface Payload {
  readonly labels: Readonly<Record<string, string>>;
  readonly operation?: { readonly startedAt: string; readonly phase: string };
}

export class Checker {
  readonly #ingest: TestIngest;
  readonly #runtime: Runtime;
  readonly #world: World;
  /** How far in its log each application is at the platform. */
  readonly #places = new Map<string, { at: number; state: string }>();
  readonly #reordered: string[] = [];

  constructor(ingest: TestIngest, runtime: Runtime, world: World) {
    this.#ingest = ingest;
    this.#runtime = runtime;
    this.#world = world;
  }

  /** The platform may leave states out, but those that it shows come in the order in which they were. */
  async look(): Promise<void> {
    for (const [key, state] of await this.#shown()) {
      const place = this.#places.get(key) ?? { at: -1, state: '' };
      if (place.state === state) continue;
      const at = (this.#world.log.get(key) ?? []).indexOf(state, place.at + 1);
      if (at < 0) this.#reordered.push(`${key}: ${state} after ${place.state}`);
      this.#places.set(key, { at: at < 0 ? place.at : at, state });
    }
  }

  /** True when every application is shown as it is. */
  async isTrue(): Promise<boolean> {
    return (await this.#differing()).length === 0;
  }

  /** `owed`: operations whose result was observed. */
  async findings(owed: ReadonlySet<string>): Promise<Findings> {
    const deployments = await this.#ingest.deployments(this.#runtime);
    const phases = new Map<string, string[]>();
    for (const { uid, startedAt, phase } of deployments) {
      const id = `${uid} ${startedAt}`;
      phases.set(id, [...(phases.get(id) ?? []), phase]);
    }
    const missing = [...owed].filter((id) => !phases.get(id)?.includes(this.#world.ended.get(id) ?? ''));
    return {
      lost: [...(await this.#differing()), ...missing.map((id) => `operation ${id}`)],
      reordered: this.#reordered,
      doubled: [...phases].filter(([, seen]) => seen.length > 1).map(([id, seen]) => `operation ${id}: ${seen}`),
    };
  }

  async #differing(): Promise<string[]> {
    const shown = await this.#shown();
    return [...this.#world.log].flatMap(([key, log]) => {
      const last = log.at(-1);
      const seen = shown.get(key) ?? goneMark;
      return seen === last ? [] : [`${key} is shown as ${seen} and is ${last}`];
    });
  }

  async #shown(): Promise<Map<string, string>> {
    const rows = await this.#ingest.applications(this.#runtime);
    return new Map(
      rows.map(({ key, deleted, payload }) => {
        const { labels, operation } = (payload ?? { labels: {} }) as Payload; // as ingest stored a checked report
        return [key, deleted ? goneMark : stateOf(labels['mark'], operation)];
      }),
    );
  }
}
