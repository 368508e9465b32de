// Why something is not green: a cause chain in words, from the application down to the line that says it.
import { type Static, Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const ExplainedObject = Type.Object({ group: text, kind: text, namespace: text, name: text });
export type ExplainedObject = Static<typeof ExplainedObject>;

export const ExplanationLink = Type.Object({
  /** What this link of the chain is about: `Deployment payments-api`, `Registry answered`. */
  title: text,
  detail: optionalText,
  /** Words of others, verbatim: an error text, log lines, a field's two values. */
  quote: optionalText,
  object: Type.Optional(ExplainedObject),
});
export type ExplanationLink = Static<typeof ExplanationLink>;

export const Remedy = Type.Object({
  title: text,
  /** What the UI can offer as a button; `hint` is advice only. */
  act: Type.Union([
    Type.Literal('sync'),
    Type.Literal('sync-with-prune'),
    Type.Literal('refresh'),
    Type.Literal('revert'),
    Type.Literal('terminate'),
    Type.Literal('hint'),
  ]),
  detail: optionalText,
});
export type Remedy = Static<typeof Remedy>;

export const Explanation = Type.Object({
  /** Stable code of the cause, e.g. `image-pull-failed`. */
  cause: text,
  /** One sentence for people. */
  headline: text,
  since: optionalText,
  /** Who or what brought it about, as far as known: a commit, a field manager, a person. */
  actor: optionalText,
  /** From the application to the root; at least one. */
  chain: Type.Array(ExplanationLink),
  remedies: Type.Array(Remedy),
});
export type Explanation = Static<typeof Explanation>;
