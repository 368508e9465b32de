import type { ApplicationId } from '@fairlead/contracts';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ApplicationSearch, readApplicationSearch } from '../../api/index.ts';

const from = '/frame/applications/$runtime/$namespace/$name';

export function useApplicationPage() {
  const { runtime, namespace, name } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate();
  const id: ApplicationId = useMemo(() => ({ runtime, namespace, name }), [runtime, namespace, name]);
  const change = useCallback(
    (part: { readonly [K in keyof ApplicationSearch]: ApplicationSearch[K] | undefined }, replace = false) =>
      void navigate({
        to: '/applications/$runtime/$namespace/$name',
        params: id,
        search: (before) => readApplicationSearch({ ...before, ...part }),
        replace,
      }),
    [navigate, id],
  );
  return { id, search, change };
}
