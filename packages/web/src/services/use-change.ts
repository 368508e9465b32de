import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of the account; what it touches is loaded again when it is done. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  touches: readonly (readonly unknown[])[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all(touches.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
