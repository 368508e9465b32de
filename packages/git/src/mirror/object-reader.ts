// One long-lived `git cat-file --batch-command` per repository: requests go in by object id, answers come back in the
// same order. Only full ids and plain ref names are sent, so nothing a repository contains can become a command.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { RetryableError } from '@fairlead/base';
import { GitObjectError } from './errors.ts';
import { gitEnvironment } from './git-command.ts';

export interface GitObject {
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly content: Buffer;
}

interface Request {
  readonly name: string;
  readonly maxBytes: number;
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Body {
  readonly id: string;
  readonly type: GitObject['type'];
  readonly sizeBytes: number;
  /** Content and the line feed behind it. */
  remaining: number;
  readonly chunks: Buffer[];
}

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Narrower than git's own rule: no `^`, `~`, `:`, `@{`, spaces or line breaks, which would mean something else. */
const plainRef = /^refs\/(?:heads|tags)\/[A-Za-z0-9_][A-Za-z0-9_.+\-/#]*$/;
const newline = 0x0a;

export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Request[] = [];
  readonly #onIdle: () => void;
  #header: Buffer = Buffer.alloc(0);
  #body: Body | undefined;
  #closed: boolean = false;
  lastUsed = 0;

  constructor(gitDir: string, options: { onIdle: () => void; onExit: () => void }) {
    this.#onIdle = options.onIdle;
    this.#child = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch-command'], { env: gitEnvironment() });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#accept(chunk));
    this.#child.stderr.resume();
    this.#child.stdin.on('error', () => undefined); // the exit below tells every waiting request
    this.#child.on('error', () => this.#end(options.onExit));
    this.#child.on('close', () => this.#end(options.onExit));
  }

  get pending(): number {
    return this.#waiting.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Undefined when the repository does not hold the object. */
  read(id: string, maxBytes: number): Promise<GitObject | undefined> {
    if (!objectId.test(id)) return Promise.reject(new GitObjectError(`${JSON.stringify(id)} is not an object id`));
    return this.#request(id, maxBytes);
  }

  readRef(ref: string, maxBytes: number): Promise<GitObject | undefined> {
    return plainRef.test(ref) ? this.#request(ref, maxBytes) : Promise.resolve(undefined);
  }

  #request(name: string, maxBytes: number): Promise<GitObject | undefined> {
    if (this.#closed) return Promise.reject(readerEnded());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, maxBytes, resolve, reject });
      this.#child.stdin.write(`contents ${name}\n`);
    });
  }

  close(): void {
    this.#child.stdin.end();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #end(onExit: () => void): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const request of this.#waiting.splice(0)) request.reject(readerEnded());
    onExit();
  }

  #accept(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#body ? this.#takeBody(this.#body, rest) : this.#takeHeader(rest);
  }

  #takeHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(newline);
    if (end < 0) {
      this.#header = Buffer.concat([this.#header, chunk]);
      return Buffer.alloc(0);
    }
    const line = Buffer.concat([this.#header, chunk.subarray(0, end)]).toString('latin1');
    this.#header = Buffer.alloc(0);
    const [id = '', type, size] = line.split(' ');
    if (type === 'missing' || size === undefined) this.#answer(undefined);
    else {
      const sizeBytes = Number(size);
      this.#body = { id, type: type as GitObject['type'], sizeBytes, remaining: sizeBytes + 1, chunks: [] }; // git names only these four
    }
    return chunk.subarray(end + 1);
  }

  #takeBody(body: Body, chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, body.remaining);
    body.remaining -= taken.length;
    const tooLarge = body.sizeBytes > (this.#waiting[0]?.maxBytes ?? 0);
    if (!tooLarge) body.chunks.push(taken);
    if (body.remaining === 0) {
      this.#body = undefined;
      this.#answer(body, tooLarge);
    }
    return chunk.subarray(taken.length);
  }

  #answer(body: Body | undefined, tooLarge = false): void {
    const request = this.#waiting.shift();
    if (!request) return;
    if (tooLarge) {
      const limits = `is ${body?.sizeBytes} bytes; at most ${request.maxBytes} are read`;
      request.reject(new GitObjectError(`object ${request.name} ${limits}`));
    } else if (!body) request.resolve(undefined);
    else {
      const joined = body.chunks.length === 1 ? (body.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(body.chunks);
      request.resolve({ id: body.id, type: body.type, content: Buffer.from(joined.subarray(0, body.sizeBytes)) });
    }
    if (this.#waiting.length === 0) this.#onIdle();
  }
}

const readerEnded = () => new RetryableError('git_reader_ended', 'the git process that reads objects has ended');
