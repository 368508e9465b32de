// The settings that people keep in the ConfigMap `argocd-cm` of the engine's namespace, followed while it runs.
import type { Logger } from '@fairlead/base';
import { Informer, type KubeClient, type KubeObject, recordAt } from '@fairlead/kube';
import { type EngineSettings, parseSettings } from './argocd-cm.ts';

interface SettingsOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Logger;
}

export class Settings {
  readonly #informer: Informer;
  readonly #log: Logger;
  readonly #listeners = new Set<(settings: EngineSettings) => void>();
  #current: EngineSettings = parseSettings({});

  constructor({ client, namespace, log }: SettingsOptions) {
    this.#log = log;
    const fieldSelector = 'metadata.name=argocd-cm';
    this.#informer = new Informer({
      client,
      query: { apiVersion: 'v1', kind: 'ConfigMap', namespace, fieldSelector },
      log,
    });
    this.#informer.onChange(() => this.#read());
  }

  get current(): EngineSettings {
    return this.#current;
  }

  /** As people wrote it. */
  get data(): Readonly<Record<string, unknown>> {
    return recordAt(this.#map(), 'data');
  }

  /** Told of every change after the first reading. A listener must not throw. */
  onChange(listener: (settings: EngineSettings) => void): void {
    this.#listeners.add(listener);
  }

  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    const running = this.#informer.run({ signal });
    await this.#informer.synced({ signal });
    return { running };
  }

  #map(): KubeObject | undefined {
    return this.#informer.list().find(({ metadata }) => metadata.name === 'argocd-cm');
  }

  #read(): void {
    this.#current = parseSettings(this.data);
    for (const problem of this.#current.problems) this.#log.warn({ problem }, 'a setting cannot be followed');
    for (const listener of this.#listeners) listener(this.#current);
  }
}
