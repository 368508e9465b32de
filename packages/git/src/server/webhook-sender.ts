// Sends push payloads to the configured addresses: in order per address, retried with back-off, from a bounded queue.
// At the bound the oldest waiting delivery is dropped and counted: a newer push of the repository follows it anyway, and
// receivers poll.
import { createHmac } from 'node:crypto';
import { errorMessage, FairleadError, type Logger, newId, retry, withDeadline } from '@fairlead/base';

interface WebhookSenderOptions {
  readonly urls: readonly string[];
  readonly secret?: string | undefined;
  readonly log: Logger;
  readonly maxQueued?: number;
}

interface Delivery {
  readonly id: string;
  readonly body: string;
}

const timeoutMs = 10_000;

export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #queues: { url: string; waiting: Delivery[]; sending: Promise<void> | undefined }[];
  readonly #stopping = new AbortController();
  readonly counts = { delivered: 0, failed: 0, dropped: 0 };

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#queues = options.urls.map((url) => ({ url, waiting: [], sending: undefined }));
  }

  send(payload: unknown): void {
    const delivery = { id: newId('push'), body: JSON.stringify(payload) };
    for (const queue of this.#queues) {
      queue.waiting.push(delivery);
      if (queue.waiting.length > (this.#options.maxQueued ?? 1000)) {
        queue.waiting.shift();
        this.counts.dropped++;
        this.#options.log.warn({ url: queue.url }, 'webhook queue is full; the oldest delivery was dropped');
      }
      queue.sending ??= this.#drain(queue).finally(() => {
        queue.sending = undefined;
      });
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#queues.map((queue) => queue.sending));
  }

  async #drain(queue: { url: string; waiting: Delivery[] }): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const delivery = queue.waiting.shift();
      if (!delivery) return;
      try {
        const options = { attempts: 6, baseMs: 200, maxMs: 10_000, signal };
        await retry(() => this.#post(queue.url, delivery), options);
        this.counts.delivered++;
      } catch (error) {
        this.counts.failed++;
        this.#options.log.warn({ url: queue.url, error: errorMessage(error) }, 'webhook could not be delivered');
      }
    }
  }

  async #post(url: string, { id, body }: Delivery): Promise<void> {
    const { secret } = this.#options;
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'fairlead-git-server',
      'x-github-event': 'push',
      'x-github-delivery': id,
    };
    if (secret) headers['x-hub-signature-256'] = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const signal = withDeadline(this.#stopping.signal, timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    await response.body?.cancel();
    if (!response.ok) throw new FairleadError('webhook_refused', `${url} answered ${response.status}`);
  }
}
