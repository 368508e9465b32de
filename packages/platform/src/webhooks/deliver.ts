// Sends what waits: signed, ten seconds for an answer, no redirect followed, the address judged at each connection. What is
// not taken with 2xx is sent again, later each time, eight times in about two hours; then it is given up and shown.
// At least once: a platform that dies in between sends again under the same `fairlead-delivery`. No order is promised.
import { createHmac } from 'node:crypto';
import {
  backoffDelay,
  Counter,
  errorMessage,
  everyInterval,
  type Logger,
  mapLimit,
  type Registry,
  withDeadline,
} from '@fairlead/base';
import { type Kysely, sql } from 'kysely';
import type { SealedTexts } from '../auth/index.ts';
import { notificationById } from '../notifications/index.ts';
import type { AddressGuard, DirectLines } from '../runtime-access/index.ts';
import type { Database, Store } from '../store/index.ts';
import { missing, readWebhookUrl } from './manage.ts';

export interface DeliveryDeps {
  readonly store: Store;
  readonly lines: DirectLines;
  readonly guard: AddressGuard;
  readonly sealed: SealedTexts;
  readonly log: Logger;
}

const lookEveryMs = 1_000;
/** Also when nothing was written as far as we have heard. */
const lookAnywayMs = 30_000;
const takenAtOnce = 20;
const parallel = 5;
const answerWithinMs = 10_000;
/** For so long a delivery belongs to who took it. */
const leaseMs = 60_000;
const maxAttempts = 8;
const retry = { baseMs: 10_000, maxMs: 3_600_000 };

interface Target {
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
}

interface Due extends Target {
  readonly id: number;
  readonly attempts: number;
  readonly notificationId: number;
}

export class WebhookDelivery {
  readonly #deps: DeliveryDeps;
  readonly #outcomes: Counter;
  #seen = { generation: -1, nextMs: 0 };

  constructor(deps: DeliveryDeps, registry: Registry) {
    this.#deps = deps;
    this.#outcomes = new Counter({
      name: 'fairlead_webhook_deliveries_total',
      help: 'Attempts to deliver a notification by outcome: delivered, failed (sent again later), given-up',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { store, log } = this.#deps;
    const round = async () => {
      const { generation } = store;
      const nowMs = store.clock.now();
      if (!store.isUp || (generation === this.#seen.generation && nowMs < this.#seen.nextMs)) return;
      try {
        await this.deliverDue({ signal });
        this.#seen = { generation, nextMs: Math.min(await nextDueMs(store.db), nowMs + lookAnywayMs) };
      } catch (error) {
        if (!signal.aborted) log.warn({ error: errorMessage(error) }, 'webhooks could not be served, will retry');
      }
    };
    return everyInterval(lookEveryMs, round, { signal, clock: store.clock });
  }

  async deliverDue({ signal }: { signal: AbortSignal }): Promise<void> {
    const { db, clock } = this.#deps.store;
    const due = await take(db, new Date(clock.now()));
    await mapLimit(due, parallel, (each) => this.#deliver(each, signal));
  }

  /** One message, now; what came of it, in words. */
  async test(webhook: { accountId: string; id: string }, { signal }: { signal: AbortSignal }) {
    const { db, clock } = this.#deps.store;
    const target = await db
      .selectFrom('webhooks')
      .select(['id as webhookId', 'url', 'secret'])
      .where('account_id', '=', webhook.accountId)
      .where('id', '=', webhook.id)
      .executeTakeFirst();
    if (!target) throw missing(webhook.id);
    const body = { id: '0', kind: 'test', tone: 'good', title: 'A test of this webhook', at: new Date(clock.now()) };
    const problem = await this.#send(target, { id: 'test', body, signal });
    return { delivered: problem === undefined, message: problem ?? 'it was taken' };
  }

  async #deliver(due: Due, signal: AbortSignal): Promise<void> {
    const { store, log } = this.#deps;
    const body = await notificationById(store.db, due.notificationId);
    if (!body) return; // swept meanwhile, and its deliveries with it
    const problem = await this.#send(due, { id: String(due.id), body, signal });
    if (signal.aborted) return;
    const isLast = due.attempts >= maxAttempts;
    const outcome = problem === undefined ? 'delivered' : isLast ? 'given-up' : 'failed';
    this.#outcomes.inc({ outcome });
    if (outcome === 'given-up') log.warn({ webhook: due.webhookId, problem }, 'a notification was given up');
    const at = new Date(store.clock.now());
    // Together: nobody sees that nothing waits any more beside the problem of the attempt before.
    await store.db.transaction().execute(async (trx) => {
      if (outcome === 'failed') {
        const next_at = new Date(at.getTime() + backoffDelay(due.attempts, retry));
        await trx.updateTable('webhook_deliveries').set({ next_at }).where('id', '=', due.id).execute();
      } else await trx.deleteFrom('webhook_deliveries').where('id', '=', due.id).execute();
      await trx
        .updateTable('webhooks')
        .set(problem === undefined ? { delivered_at: at, problem: null } : { failed_at: at, problem })
        .where('id', '=', due.webhookId)
        .execute();
    });
  }

  /** Undefined when it was taken. The words hold nothing of the answer: what lies behind the URL is nobody's business. */
  async #send(
    { webhookId, url, secret }: Target,
    { id, body, signal }: { readonly id: string; readonly body: object; readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { lines, guard, sealed, store } = this.#deps;
    const key = sealed.open(secret, webhookId);
    if (key === undefined) return 'its secret was sealed under another platform key; make the webhook again';
    const text = JSON.stringify(body);
    const seconds = Math.floor(store.clock.now() / 1000);
    const signature = createHmac('sha256', key).update(`${seconds}.${text}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'fairlead',
      'fairlead-delivery': id,
      'fairlead-signature': `t=${seconds},v1=${signature}`,
    };
    const within = withDeadline(signal, answerWithinMs);
    try {
      const line = lines.line(readWebhookUrl(guard, url));
      const answer = await line.request({ method: 'POST', path: '', headers, body: Buffer.from(text), signal: within });
      answer.body.on('error', () => undefined).destroy();
      return answer.status >= 200 && answer.status < 300 ? undefined : `it answered ${answer.status}`;
    } catch (error) {
      return within.aborted ? `it did not answer within ${answerWithinMs / 1000} s` : reasonOf(error);
    }
  }
}

const reasonOf = (error: unknown) =>
  errorMessage(error).startsWith('url:') ? errorMessage(error) : 'it cannot be reached';

/** Those that are due, by taking them: nobody else does for a minute. */
async function take(db: Kysely<Database>, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update webhook_deliveries set attempts = attempts + 1, next_at = ${new Date(now.getTime() + leaseMs)}
    from webhooks
    where webhooks.id = webhook_deliveries.webhook_id and webhook_deliveries.id = any(array(
      select id from webhook_deliveries where next_at <= ${now} order by next_at limit ${takenAtOnce} for update skip locked))
    returning webhook_deliveries.id, attempts, notification_id as "notificationId", webhooks.id as "webhookId", url, secret`.execute(
    db,
  );
  return rows;
}

async function nextDueMs(db: Kysely<Database>): Promise<number> {
  const { next } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('next_at').as('next'))
    .executeTakeFirstOrThrow();
  return next === null ? Number.POSITIVE_INFINITY : new Date(next).getTime();
}
