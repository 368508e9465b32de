// What a look at an Application writes into its metadata.
import { type Application, refreshAnnotation } from '@fairlead/contracts';
import type { Comparison } from './comparison.ts';
import { withoutRefresh } from './conditions.ts';
import { withDeleteFinalizers } from './delete-hooks.ts';

/** A refresh that was asked for is taken off; the hooks of a deletion, when the source has any, hold the Application. */
export function metadataFor({ metadata }: Application, { loaded, hooks }: Comparison) {
  const isAsked = metadata.annotations?.[refreshAnnotation] !== undefined;
  const finalizers = loaded ? withDeleteFinalizers(metadata.finalizers, hooks) : metadata.finalizers;
  if (!isAsked && finalizers === metadata.finalizers) return undefined;
  return {
    ...(isAsked ? withoutRefresh.metadata : {}),
    ...(finalizers === metadata.finalizers ? {} : { finalizers }),
  };
}
