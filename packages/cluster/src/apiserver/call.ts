import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube/object';
import type { Objects } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';
import type { Accepted } from './negotiation.ts';
import type { WatchHub } from './watch-hub.ts';

/** What handlers work with. */
export interface ServerDeps {
  readonly objects: Objects;
  readonly watches: WatchHub;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the server stops: streams end then. */
  readonly signal: AbortSignal;
}

/** One request to a resource, read and authenticated. */
export interface Call {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
  readonly accepted: Accepted;
  /** Owner of the fields this request changes. */
  readonly manager: string;
  readonly dryRun: boolean;
  /** Refuses what the caller may not write although they may write there. */
  readonly admit: ((object: KubeObject) => void) | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** 'streamed': the handler has written (or is still writing) the response itself. */
export type Answer =
  | { readonly status: number; readonly body: Buffer | string | object; readonly contentType?: string }
  | 'streamed';

export type Verb = (call: Call, deps: ServerDeps) => Promise<Answer>;

export const targetOf = ({ type, namespace, name }: Call) => ({ type, namespace, name });
