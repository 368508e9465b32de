import { describe, expect, it } from 'vitest';
import { readRefusal } from './failure-reason.ts';

const json = { 'content-type': 'application/json' };

describe('readRefusal', () => {
  it.each([
    [
      'GitHub',
      { message: 'Validation Failed', errors: [{ message: 'name exists' }] },
      'Validation Failed; name exists',
    ],
    ['GitLab', { message: { name: ['is taken', 'is bad'] } }, 'name is taken; name is bad'],
    ['GitLab OAuth', { error: 'invalid_token', error_description: 'revoked' }, 'invalid_token; revoked'],
    ['Bitbucket', { type: 'error', error: { message: 'no' } }, 'no'],
    ['nobody', [1, 2], ''],
    ['null', null, ''],
  ])('reads the words of %s', (_, body, reason) => {
    expect(readRefusal(JSON.stringify(body), new Headers(json)).reason).toBe(reason);
  });

  it('takes plain words, and no pages', () => {
    expect(readRefusal('blocked by Code-Review\n', new Headers({ 'content-type': 'text/plain' })).reason).toBe(
      'blocked by Code-Review',
    );
    expect(readRefusal('<html>', new Headers({ 'content-type': 'text/html' })).reason).toBe('');
    expect(readRefusal(JSON.stringify({ message: 'x'.repeat(900) }), new Headers(json)).reason).toHaveLength(500);
  });

  it('finds the scopes that are missing', () => {
    const missing = (body: unknown, headers = {}) =>
      readRefusal(JSON.stringify(body), new Headers(headers)).missingScopes;
    expect(missing({}, { 'x-oauth-scopes': 'read:org', 'x-accepted-oauth-scopes': 'repo' })).toEqual(['repo']);
    expect(missing({}, { 'x-oauth-scopes': 'repo', 'x-accepted-oauth-scopes': 'repo, public_repo' })).toEqual([]);
    expect(missing({}, { 'x-accepted-github-permissions': 'contents=write' })).toEqual(['contents=write']);
    expect(missing({ error: 'insufficient_scope', scope: 'api read_api' })).toEqual(['api', 'read_api']);
    const required =
      'token does not have at least one of required scope(s), required=[write:repository], token scope=x';
    expect(missing({ message: required })).toEqual(['write:repository']);
    const detail = { granted: ['account'], required: ['account', 'repository:admin'] };
    expect(missing({ error: { message: 'no', detail } })).toEqual(['repository:admin']);
  });
});
