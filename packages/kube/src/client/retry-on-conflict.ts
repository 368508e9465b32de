import { isConflict } from './errors.ts';

/** An object that is written this often between a read and a write has other troubles. */
const maxConflicts = 10;

/**
 * Does the work again, from its read on, when somebody else wrote the object between its read and its write, as client-go's
 * function of this name does. `isStale` for work that means other refusals by it, too.
 */
export async function retryOnConflict<T>(
  work: () => Promise<T>,
  { isStale = isConflict }: { readonly isStale?: (thrown: unknown) => boolean } = {},
): Promise<T> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await work();
    } catch (error) {
      if (!isStale(error) || conflicts >= maxConflicts) throw error;
    }
  }
}
