import { ApiError } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { fieldProblems, isAtField } from './field-problems.ts';

const refusal = (message: string, details?: Record<string, unknown>) =>
  new ApiError(422, { code: 'invalid', message, requestId: 'r', ...(details && { details }) });

it('tells a refusal of one field at the field, without its name', () => {
  const error = refusal('repoURL: it is an SSH address; give the HTTPS address', { field: 'repoURL' });
  expect(fieldProblems(error)).toEqual({ repoURL: 'It is an SSH address; give the HTTPS address.' });
  expect(isAtField(error, ['name', 'repoURL'])).toBe(true);
  expect(isAtField(error, ['name'])).toBe(false);
});

it('tells every field that a check of the request found', () => {
  const problems = [
    { field: 'name', reason: 'does not fit: use lower-case letters' },
    { field: 'email', reason: 'is required' },
  ];
  expect(fieldProblems(refusal('body field name: …', { in: 'body', problems }))).toEqual({
    name: 'Does not fit: use lower-case letters.',
    email: 'Is required.',
  });
});

it('has nothing to tell at fields of a refusal about something else', () => {
  expect(fieldProblems(refusal('the runtime does not answer'))).toEqual({});
  expect(fieldProblems(new Error('no network'))).toEqual({});
  expect(fieldProblems(null)).toEqual({});
});
