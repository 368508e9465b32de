// Live reads and acts on single resources, through the engine. Only what is in the application's tree can be reached.
import type { ActReceipt, Explanation, LogLine, ResourceAction } from '@fairlead/contracts';
import type { ArgoCdClient, EngineLogLine } from '../../argo-cd/index.ts';
import { explain, gatherEvidence } from '../../why/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { eventRows } from './event-rows.ts';
import { findResource } from './find-resource.ts';
import { primed } from './primed.ts';
import { redactorOf } from './redaction.ts';

type Names =
  | 'streamLogs'
  | 'listEvents'
  | 'getLiveResource'
  | 'deleteLiveResource'
  | 'listResourceActions'
  | 'runResourceAction'
  | 'explainApplication';

const defaultTail = 100;
const accepted = (message: string): ActReceipt => ({ accepted: true, message });

export const resourceHandlers = ({ engine, identity }: HandlerDeps): HandlersOf<Names> => ({
  async streamLogs({ params, query, signal }) {
    const { kind, resource, group, namespace, pod, container, follow, previous, sinceSeconds } = query;
    const named = kind && resource ? { kind, resource, ...given({ group, namespace }) } : undefined;
    const of = named && (await findResource(engine, params, { named, signal }));
    const wanted = { of, pod, container, follow, previous, sinceSeconds, tailLines: query.tail ?? defaultTail };
    return primed(linesOf(engine.logs(params, wanted, { signal })));
  },
  async listEvents({ params, query, signal }) {
    const { kind, resource, group, namespace } = query;
    const named = kind && resource ? { kind, resource, ...given({ group, namespace }) } : undefined;
    const about = named && (await findResource(engine, params, { named, signal }));
    const events = await engine.events(params, about, { signal });
    return { items: eventRows(events) };
  },
  async getLiveResource({ params, query, signal }) {
    const found = await findResource(engine, params, { named: query, signal });
    const manifest = redactorOf(identity).manifest(await engine.liveResource(params, found, { signal }));
    return { manifest: manifest as Record<string, unknown> }; // a Kubernetes object is one
  },
  async deleteLiveResource({ params, query, signal }) {
    const { force = false, orphan = false, ...named } = query;
    const found = await findResource(engine, params, { named, signal });
    await engine.deleteResource(params, { ...found, force, orphan }, { signal });
    return accepted(`${found.kind} ${found.name} is being deleted`);
  },
  async listResourceActions({ params, query, signal }) {
    const found = await findResource(engine, params, { named: query, signal });
    const actions = await engine.resourceActions(params, found, { signal });
    const items = actions.map(
      ({ name, displayName, disabled = false, params: parameters = [] }): ResourceAction => ({
        name,
        ...(displayName ? { title: displayName } : {}),
        disabled,
        parameters: parameters.map((parameter) => ({ ...parameter })),
      }),
    );
    return { items };
  },
  runResourceAction: (input) => runAction(engine, input),
  async explainApplication({ params, signal }) {
    const explanation = explain(await gatherEvidence(engine, params, { signal }));
    return explanation ? { explanation: redactorOf(identity).value(explanation) as Explanation } : {}; // texts change, nothing else
  },
});

async function runAction(
  engine: ArgoCdClient,
  { params, body, signal }: Parameters<HandlersOf<Names>['runResourceAction']>[0],
): Promise<ActReceipt> {
  const { action, parameters = {}, ...named } = body;
  const found = await findResource(engine, params, { named, signal });
  await engine.runAction(params, { ...found, action, parameters }, { signal });
  return accepted(`${action} of ${found.kind} ${found.name} done`);
}

async function* linesOf(lines: AsyncIterable<EngineLogLine>): AsyncGenerator<LogLine, void, undefined> {
  for await (const line of lines) yield lineOf(line);
}

const lineOf = ({ podName, timeStampStr, content }: EngineLogLine): LogLine => ({
  pod: podName,
  time: timeStampStr,
  line: content,
});

function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never; // keys kept
}
