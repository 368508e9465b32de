// The live feed: `GET /api/v1/live`, Server-Sent Events. `id:` is a change number; `Last-Event-ID` resumes after it.
// A client that was away for longer than the feed remembers gets `reset` and must load again.
import { type Static, Type } from 'typebox';
import {
  ApplicationId,
  ApplicationRow,
  ApplicationSummary,
  ClusterRow,
  GitSourceRow,
  RuntimeRow,
} from '../api/entities.ts';

export const LiveMessage = Type.Union([
  /** `event: application`: a row is new or changed. */
  Type.Object({ type: Type.Literal('application'), row: ApplicationRow }),
  Type.Object({ type: Type.Literal('application-deleted'), id: ApplicationId }),
  Type.Object({ type: Type.Literal('summary'), summary: ApplicationSummary }),
  Type.Object({ type: Type.Literal('runtime'), row: RuntimeRow }),
  Type.Object({ type: Type.Literal('runtime-deleted'), name: Type.String() }),
  Type.Object({ type: Type.Literal('cluster'), row: ClusterRow }),
  Type.Object({ type: Type.Literal('cluster-deleted'), runtime: Type.String(), server: Type.String() }),
  Type.Object({ type: Type.Literal('git-source'), row: GitSourceRow }),
  Type.Object({ type: Type.Literal('git-source-deleted'), id: ApplicationId }),
  /** There is something new behind the bell: ask for it. Says no more, since not everybody may see it. */
  Type.Object({ type: Type.Literal('notifications') }),
  /** Load everything again; what came before may be incomplete. */
  Type.Object({ type: Type.Literal('reset') }),
  /** Every 15 s, so that both ends know the line is alive. */
  Type.Object({ type: Type.Literal('ping'), at: Type.String() }),
]);
export type LiveMessage = Static<typeof LiveMessage>;

/** Every message is one SSE event whose `event:` is `message` and whose `data:` is the JSON of a LiveMessage. */
export const livePingSeconds = 15;
