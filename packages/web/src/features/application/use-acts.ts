import type { ApplicationId, SyncRequest } from '@fairlead/contracts';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../services/index.ts';

/** Acts on one application. Their outcome arrives the way of a change, by the live feed. */
export function useActs(id: ApplicationId) {
  const api = useApi();
  const refresh = useMutation({ mutationFn: () => api.call('refreshApplication', { params: id, body: {} }) });
  const terminate = useMutation({ mutationFn: () => api.call('terminateOperation', { params: id }) });
  const synchronize = useMutation({
    mutationFn: (body: SyncRequest) => api.call('syncApplication', { params: id, body }),
  });
  return { refresh, terminate, synchronize };
}
