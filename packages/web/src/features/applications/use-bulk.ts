import type { ApplicationId } from '@fairlead/contracts';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../services/index.ts';

export interface BulkOutcome {
  readonly done: number;
  readonly refused: readonly { readonly id: ApplicationId; readonly reason: string }[];
}

/** Requests under way at once: a hundred at a time would only queue at the runtimes. */
const atOnce = 4;

/** One act on many applications; what one refuses does not hold up the others. */
export function useBulk(act: 'sync' | 'refresh') {
  const api = useApi();
  const actOn = (params: ApplicationId) =>
    act === 'sync'
      ? api.call('syncApplication', { params, body: {} })
      : api.call('refreshApplication', { params, body: {} });
  return useMutation({
    mutationFn: async (ids: readonly ApplicationId[]): Promise<BulkOutcome> => {
      const waiting = [...ids];
      const refused: { id: ApplicationId; reason: string }[] = [];
      const work = async () => {
        for (let id = waiting.shift(); id; id = waiting.shift()) {
          try {
            await actOn(id);
          } catch (error) {
            refused.push({ id, reason: error instanceof Error ? error.message : String(error) });
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return { done: ids.length - refused.length, refused };
    },
  });
}
