// What was sealed to this runtime, opened for the one purpose it was sealed for.
import { type Sealed, SealedError, unseal } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { GitAccessError } from './errors.ts';
import { ensureSealingKey } from './sealing-key.ts';

interface SealingOptions {
  readonly cluster: () => KubeClient;
  /** The runtime's. */
  readonly namespace: string;
}

export class Sealing {
  readonly #options: SealingOptions;

  constructor(options: SealingOptions) {
    this.#options = options;
  }

  async open(sealed: Sealed, purpose: string): Promise<string> {
    const { cluster, namespace } = this.#options;
    const key = await ensureSealingKey(cluster(), { namespace });
    try {
      return await unseal(sealed, { key, purpose });
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      throw new GitAccessError('bad_request', `body field sealed: ${error.message}`);
    }
  }
}
