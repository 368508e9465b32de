// What people are shown of a token, with what is wrong with it. Pure.
import type { GitTokenRow } from '@fairlead/contracts';
import { scopesLacking } from '@fairlead/git';
import type { StoredToken } from './token-secret.ts';

const soonMs = 14 * 86_400_000;

export function tokenRow(stored: StoredToken, nowMs: number): GitTokenRow {
  const { token: _, username: __, scopes, ...shown } = stored;
  return { ...shown, ...(scopes ? { scopes: [...scopes] } : {}), ...judged(stored, nowMs) };
}

function judged(
  { host, provider, scopes, expiresAt }: StoredToken,
  nowMs: number,
): Pick<GitTokenRow, 'status' | 'problem'> {
  const leftMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return { status: 'expired', problem: `it ended; make a new one at ${host} and add it again` };
  const lacking = scopes && provider !== 'other' ? scopesLacking(provider, scopes) : [];
  if (lacking.length > 0) {
    const what = `${lacking.length === 1 ? 'the scope' : 'the scopes'} ${lacking.join(', ')}`;
    return { status: 'weak', problem: `it lacks ${what}; make one with it at ${host} and add it again` };
  }
  if (leftMs <= soonMs) {
    const days = Math.max(1, Math.ceil(leftMs / 86_400_000));
    return {
      status: 'expires-soon',
      problem: `it ends in ${days} ${days === 1 ? 'day' : 'days'}; make a new one in time`,
    };
  }
  return { status: provider === 'other' ? 'unverified' : 'valid' };
}
