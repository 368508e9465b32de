import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { primed } from './primed.ts';
import { redactorOf } from './redaction.ts';

const defaultTail = 200;

export const componentHandlers = ({ componentLogs, identity }: HandlerDeps): HandlersOf<'streamComponentLogs'> => ({
  streamComponentLogs({ params, query, signal }) {
    const { tail = defaultTail, follow = false } = query;
    const { component } = params;
    return primed(componentLogs.read({ component, tail, follow, redactor: redactorOf(identity), signal }));
  },
});
