// How a component of the runtime renders: in worker threads with a deadline and bounded memory, with what was rendered
// before kept on disk, and with charts from the repositories that the engine knows. Hostile templates cost a worker, never
// the component.
import { join } from 'node:path';
import type { Clock } from '@fairlead/base';
import { ChartRepositories, type ChartRepository, type ChartSource, Renderer, RenderPool } from '@fairlead/render';

interface RenderingOptions {
  /** For renders and charts; may be lost. */
  readonly dir: string;
  /** Chart repositories with their credentials, as they are now. */
  readonly known: () => readonly ChartRepository[];
  /** PEM for a host; undefined: the machine's own. */
  readonly authoritiesFor?: (hostname: string) => string | undefined;
  readonly clock?: Clock;
}

/** Beside the engine's own workers: what is rendered here is asked for by a person, or follows a finished sync. */
const workers = 1;

export class Rendering {
  readonly #pool = new RenderPool({ size: workers });
  readonly renderer: Renderer;
  readonly charts: ChartSource;
  /** The same without credentials. */
  readonly openCharts: ChartSource;

  constructor({ dir, known, ...options }: RenderingOptions) {
    this.renderer = new Renderer({ pool: this.#pool, dir: join(dir, 'renders') });
    this.openCharts = new ChartRepositories({ dir: join(dir, 'open-charts'), ...options });
    this.charts = new ChartRepositories({ dir: join(dir, 'charts'), known, ...options });
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
  }
}
