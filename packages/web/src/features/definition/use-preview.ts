import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi, useClock } from '../../services/index.ts';

interface Previewed {
  readonly runtime: string;
  readonly manifest: string;
  readonly gitSource: { readonly name: string; readonly namespace?: string };
  readonly existing: boolean;
  readonly isOn: boolean;
}

const restMs = 500;

/** What the runtime says of the manifest, asked when the typing rests. */
export function usePreview({ runtime, manifest, gitSource, existing, isOn }: Previewed) {
  const api = useApi();
  const clock = useClock();
  const [rested, setRested] = useState(manifest);
  useEffect(() => clock.after(restMs, () => setRested(manifest)), [clock, manifest]);
  return useQuery({
    queryKey: ['preview', runtime, gitSource.name, existing, rested],
    queryFn: ({ signal }) =>
      api.call(
        'previewApplication',
        { params: { runtime }, body: { manifest: rested, gitSource: { ...gitSource }, existing } },
        { signal },
      ),
    enabled: isOn && rested.trim() !== '' && runtime !== '' && gitSource.name !== '',
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
}
