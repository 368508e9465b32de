import { ApiError } from '@fairlead/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { keys, meQuery } from '../../api/index.ts';
import { useApi, useClock } from '../../services/index.ts';
import { BrandMark, Notice, Skeleton } from '../../ui/index.ts';
import { safePage, startPage, takeWantedPage } from '../session/index.ts';
import { PasswordForm } from './password-form.tsx';

const lookAgainMs = 4000;

/** Exchanges the code of the address, or explains how to get one; goes on by itself once another tab has signed in. */
export function SignInPage() {
  const api = useApi();
  const { code, next } = useSearch({ from: '/sign-in' });
  const queryClient = useQueryClient();
  // A query, not a mutation: a code counts once, and a query asks once however often the page is mounted.
  const exchange = useQuery({
    queryKey: ['sign-in', code],
    queryFn: ({ signal }) => api.call('signInByLink', { body: { code: code ?? '' } }, { signal }),
    enabled: code !== undefined,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  });
  const me = useQuery({
    ...meQuery(api),
    retry: false,
    refetchInterval: lookAgainMs,
    enabled: code === undefined || exchange.isError,
  });
  const signedIn = exchange.data ?? me.data;
  useGoOn(signedIn !== undefined && (exchange.isSuccess || me.isSuccess), next);
  useEffect(() => {
    if (exchange.data) queryClient.setQueryData(keys.me, exchange.data);
  }, [exchange.data, queryClient]);

  return (
    <main className="mx-auto flex min-h-full max-w-[440px] flex-col justify-center gap-5 p-6">
      <title>Sign in · Fairlead</title>
      <div className="flex items-center gap-2.5 text-lg font-semibold">
        <BrandMark size={28} /> Fairlead
      </div>
      {code !== undefined && exchange.isPending ? (
        <Box title="Signing you in">
          <Skeleton className="w-3/4" />
        </Box>
      ) : (
        <Box title="Sign in">
          {exchange.error ? <RefusedCode error={exchange.error} /> : null}
          <PasswordForm />
          <HowToSignIn />
        </Box>
      )}
    </main>
  );
}

function useGoOn(isSignedIn: boolean, next: string | undefined): void {
  const navigate = useNavigate();
  const clock = useClock();
  useEffect(() => {
    if (!isSignedIn) return;
    const wanted = takeWantedPage(clock.now());
    void navigate({ href: safePage(next) ?? wanted ?? startPage, replace: true });
  }, [isSignedIn, next, navigate, clock]);
}

function Box({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5">
      <h1 className="text-xl font-semibold">{title}</h1>
      {children}
    </section>
  );
}

function RefusedCode({ error }: { readonly error: Error }) {
  const isRefused = error instanceof ApiError && error.status < 500;
  return isRefused ? (
    <Notice kind="error" title="This sign-in link is not valid any more.">
      A link works once and only for some minutes. Get a new one as below.
    </Notice>
  ) : (
    <Notice kind="error" title="The server did not answer.">
      {error.message}. Reload this page; the link may still be good.
    </Notice>
  );
}

function HowToSignIn() {
  return (
    <div className="flex flex-col gap-3 text-muted">
      <p>Or use a one-time link. On the machine where Fairlead runs, print a new one:</p>
      <pre className="overflow-x-auto rounded-md border border-line bg-bg px-3 py-2 font-mono text-sm text-text">
        npx fairlead open
      </pre>
      <p>Each start of Fairlead prints one too. This page goes on by itself as soon as this browser is signed in.</p>
    </div>
  );
}
