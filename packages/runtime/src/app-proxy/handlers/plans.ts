// What a change in Git would do, for who may read the repository.
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { redactorOf } from './redaction.ts';

export const planHandlers = ({ changePlans, identity }: HandlerDeps): HandlersOf<'createPlan'> => ({
  createPlan({ body, user, signal }) {
    return changePlans.plan(body, { actor: user, redactor: redactorOf(identity), signal });
  },
});
