// Between reporters and the ingest: every message is text, and waits until the schedule says what becomes of it.
// A deliberately broken build may stand in for the ingest's side: the checker must find each.
import type { DigestAnswer, ReportBatch, ReportDigest, ReportedObject, ReportReceipt } from '@fairlead/contracts';
import type { TestIngest } from '@fairlead/platform/testing';
import type { Dice } from './seeded.ts';

export const brokenVariants = [
  'no epoch check',
  'acknowledged before commit',
  'dropped on overflow',
  'deduplicated by content only',
  'no digest exchange',
] as const;
export type Broken = (typeof brokenVariants)[number];

type Runtime = Awaited<ReturnType<TestIngest['addRuntime']>>;

interface Message {
  readonly kind: 'batch' | 'digest';
  readonly text: string;
  readonly answer: (json: string) => void;
  readonly fail: (error: Error) => void;
}

interface NetworkDeps {
  readonly ingest: TestIngest;
  readonly runtime: Runtime;
  readonly dice: Dice;
  readonly broken: Broken | undefined;
  /** After each delivery that may have changed something. */
  readonly onDelivered: () => Promise<void>;
}

const maxCaptured = 30;
const cut = () => new Error('the line was cut');

export class Network {
  readonly #deps: NetworkDeps;
  #waiting: Message[] = [];
  /** Batches that were sent at some time, and may arrive (again) at any other. */
  readonly #captured: string[] = [];
  /** Only of the build that acknowledges before it commits. */
  readonly #uncommitted: string[] = [];
  readonly #contentsSeen = new Set<string>();
  readonly faults: Record<string, number> = {};

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async send(batch: ReportBatch, signal: AbortSignal): Promise<ReportReceipt> {
    return JSON.parse(await this.#post('batch', batch, signal)) as ReportReceipt; // what the ingest answered
  }

  async exchange(digest: ReportDigest, signal: AbortSignal): Promise<DigestAnswer> {
    if (this.#deps.broken === 'no digest exchange') return { send: [], unknown: [] };
    return JSON.parse(await this.#post('digest', digest, signal)) as DigestAnswer; // what the ingest answered
  }

  #post(kind: Message['kind'], body: object, signal: AbortSignal): Promise<string> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      // What a dead process has sent may still arrive; nobody hears the answer.
      const onDeath = () => reject(cut());
      signal.addEventListener('abort', onDeath, { once: true });
      const heard = () => signal.removeEventListener('abort', onDeath);
      const answer = (json: string) => {
        heard();
        resolve(json);
      };
      const fail = (error: Error) => {
        heard();
        reject(error);
      };
      this.#waiting.push({ kind, text, answer, fail });
    });
  }

  /** What becomes of one message, or of one that was sent long ago. */
  async step(): Promise<void> {
    const { dice } = this.#deps;
    const [message] = this.#waiting.splice(dice.below(this.#waiting.length), 1);
    if (!message) return this.#replay();
    const fate = dice.weighted({
      arrives: 10,
      'request lost': 2,
      'answer lost': 2,
      'platform dies before commit': 2,
      duplicated: 2,
      delayed: 2,
    });
    if (fate !== 'arrives') this.faults[fate] = (this.faults[fate] ?? 0) + 1;
    if (message.kind === 'batch') this.#capture(message.text);
    if (fate === 'arrives' || fate === 'duplicated') return this.#arrive(message, fate === 'duplicated');
    if (fate === 'answer lost') await this.#take(message);
    if (fate === 'platform dies before commit') await this.#die(message);
    message.fail(cut());
  }

  /** Everything that waits arrives, in order. */
  async flush(): Promise<void> {
    await this.#commitLate();
    for (const message of this.#waiting.splice(0)) await this.#arrive(message, false);
  }

  #capture(text: string): void {
    this.#captured.push(text);
    if (this.#captured.length > maxCaptured) this.#captured.shift();
  }

  async #replay(): Promise<void> {
    const text = this.#deps.dice.pick(this.#captured);
    if (text === undefined) return;
    this.faults['replayed'] = (this.faults['replayed'] ?? 0) + 1;
    await this.#apply(text);
  }

  async #arrive(message: Message, twice: boolean): Promise<void> {
    await this.#commitLate();
    if (twice) await this.#take(message);
    message.answer(await this.#take(message));
  }

  async #take({ kind, text }: Message): Promise<string> {
    const { ingest, runtime, broken } = this.#deps;
    if (kind === 'digest') return JSON.stringify(await ingest.digest(runtime, JSON.parse(text)));
    if (broken !== 'acknowledged before commit') return this.#apply(text);
    this.#uncommitted.push(text);
    return JSON.stringify({ applied: 1, ignored: 0, missingContents: [], quarantined: [] });
  }

  async #apply(text: string): Promise<string> {
    const { ingest, runtime, onDelivered } = this.#deps;
    const receipt = await ingest.ingest(runtime, this.#asBroken(JSON.parse(text)));
    await onDelivered();
    return JSON.stringify(receipt);
  }

  async #die({ kind, text }: Message): Promise<void> {
    this.#uncommitted.splice(0);
    if (kind === 'digest') return;
    const { ingest, runtime } = this.#deps;
    await ingest.ingest(runtime, this.#asBroken(JSON.parse(text)), { diesBeforeCommit: true }).catch(() => undefined); // dies
  }

  async #commitLate(): Promise<void> {
    for (const text of this.#uncommitted.splice(0)) await this.#apply(text);
  }

  #asBroken(batch: ReportBatch): ReportBatch {
    const { broken } = this.#deps;
    const objects = batch.objects as ReportedObject[]; // reporters of the same build sent them
    if (broken === 'no epoch check') return { ...batch, objects: objects.map((each) => ({ ...each, epoch: 1 })) };
    if (broken !== 'deduplicated by content only') return batch;
    const isNew = ({ key, hash }: ReportedObject) => {
      const isKnown = this.#contentsSeen.has(`${key} ${hash}`);
      this.#contentsSeen.add(`${key} ${hash}`);
      return !isKnown;
    };
    return { ...batch, objects: objects.filter(isNew) };
  }
}
