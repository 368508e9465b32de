// Runtimes that are reached by a URL of their own (ingress, service mesh) instead of the tunnel: the same requests, the
// same errors, sent by HTTP. The address is judged at each connection; no redirect is followed; TLS is verified.
import { Agent, type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps, Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { forwardedHeaders, TunnelCutError, type TunnelRequest, type TunnelResponse, watchHop } from '@fairlead/tunnel';
import { type AddressGuard, hostOf, portOf } from './address-guard.ts';
import { RuntimeAccessError } from './errors.ts';

interface LinesOptions {
  readonly guard: AddressGuard;
  /** PEM of authorities beside the well-known ones. */
  readonly ca?: string | undefined;
}

/** What a tunnel session and a direct line have in common. */
export interface Line {
  request(request: TunnelRequest): Promise<TunnelResponse>;
}

/** For reads. An act gets a connection of its own: on a kept one that the far side closes just then, nobody could tell whether it arrived. */
const kept = { keepAlive: true, maxSockets: 256, maxFreeSockets: 8, maxTotalSockets: 2_000 };
const maxHeaderBytes = 64 * 1024;

export class DirectLines {
  readonly #options: LinesOptions;
  readonly #plain = new Agent(kept);
  readonly #tls = new TlsAgent(kept);
  /** Made once: reading all authorities takes longer than a call. */
  readonly #trust: SecureContext | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
    const { ca } = options;
    this.#trust = ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, ca] });
  }

  /** `url` has been read by the guard once; its address is judged again for each connection. */
  line(url: URL): Line {
    return { request: (request) => this.#request(url, request) };
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }

  async #request(base: URL, { method, path, headers = {}, body, signal }: TunnelRequest): Promise<TunnelResponse> {
    signal.throwIfAborted();
    const { guard } = this.#options;
    if (isIP(hostOf(base))) guard.assertAddress(hostOf(base), portOf(base));
    const isTls = base.protocol === 'https:';
    const options = {
      agent: method === 'GET' ? (isTls ? this.#tls : this.#plain) : false,
      ...(this.#trust ? { secureContext: this.#trust } : {}),
      host: hostOf(base),
      port: portOf(base),
      path: `${base.pathname.replace(/\/+$/, '')}${path}`,
      method,
      headers: {
        ...forwardedHeaders(headers),
        ...(body instanceof Uint8Array ? { 'content-length': body.length } : {}),
      },
      lookup: guard.lookupFor(base),
      maxHeaderSize: maxHeaderBytes,
      signal,
    };
    const request = isTls ? sendHttps(options) : sendHttp(options);
    const answered = answerOf(request, signal);
    if (body === undefined || body instanceof Uint8Array) request.end(body);
    else pipeline(body, request, () => undefined); // a failure shows as the failure of the request
    return answered;
  }
}

function answerOf(request: ClientRequest, signal: AbortSignal): Promise<TunnelResponse> {
  return new Promise((resolve, reject) => {
    const failure = watchHop(request);
    request.once('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: forwardedHeaders(answer.headers), body: bodyOf(answer) });
    });
    request.on('error', (cause) => {
      if (signal.aborted) return reject(signal.reason);
      if (cause instanceof RuntimeAccessError) return reject(cause);
      const message = `the runtime's URL did not answer: ${cause.message}`;
      reject(new TunnelCutError(message, { maybeDelivered: failure() === 'cut', cause }));
    });
  });
}

function bodyOf(answer: IncomingMessage): Readable {
  const body = new PassThrough();
  const cut = (cause?: unknown) => {
    if (answer.complete) return;
    body.destroy(new TunnelCutError('the line was cut in the answer', { maybeDelivered: true, cause }));
  };
  answer.once('error', cut);
  answer.once('close', () => cut());
  body.once('close', () => answer.destroy());
  answer.pipe(body);
  return body;
}
