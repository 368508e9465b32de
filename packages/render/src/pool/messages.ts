// What the pool and its workers say to each other. Trees stay with the pool: workers ask for what they read.
import type { TreeEntry } from '@fairlead/git';
import type { ChartReference } from '../charts/index.ts';
import type { ProgramCall } from '../programs/index.ts';
import type { RemoteReference } from '../remotes/index.ts';
import type { RenderRequest, RenderResult } from '../renderer.ts';

/** A request whose trees are known by number: 0 is the tree itself, then those that lend files, in order. */
export interface RenderJob {
  readonly job: number;
  readonly source: RenderRequest['source'];
  readonly target: RenderRequest['target'];
  readonly facts: RenderRequest['facts'];
  readonly treeIds: readonly string[];
  readonly refs: readonly string[];
  /** Whether charts can be asked for. */
  readonly charts: boolean;
  /** Whether other repositories can be asked for. */
  readonly remotes: boolean;
  /** Whether programs are to render. */
  readonly programs: boolean;
}

export type TreeQuestion =
  | { readonly ask: 'entry' | 'list'; readonly path: string }
  | { readonly ask: 'read'; readonly entry: TreeEntry }
  | { readonly ask: 'resolve'; readonly chart: ChartReference }
  | { readonly ask: 'fetch'; readonly chart: ChartReference }
  | { readonly ask: 'open'; readonly remote: RemoteReference }
  | { readonly ask: 'run'; readonly call: ProgramCall };

/** A tree of another repository, to be asked for by its number. */
export interface OpenedRemote {
  readonly commit: string;
  readonly treeId: string;
  readonly tree: number;
}

export type ToWorker = { readonly render: RenderJob } | { readonly question: number; readonly answer: Answer };

export type Answer = { readonly value: unknown } | { readonly failure: Failure };

export interface Failure {
  readonly message: string;
  readonly code: string;
}

export type FromWorker =
  | { readonly job: number; readonly result: RenderResult }
  | { readonly job: number; readonly failure: Failure }
  | { readonly question: number; readonly tree: number; readonly wanted: TreeQuestion };
