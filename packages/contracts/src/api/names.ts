// The rules of names, each with words for people: `description` is what a refusal tells.
import { Type } from 'typebox';

const ends = 'beginning and ending with a letter or digit';

/** Of users and API keys. */
export const personName = Type.String({
  pattern: '^[a-z0-9]([-._a-z0-9]{0,61}[a-z0-9])?$',
  description: `lower-case letters, digits, dots, hyphens and underscores, at most 63, ${ends}`,
});

/** Of teams, access rules and webhooks. */
export const plainName = Type.String({
  pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
  description: `lower-case letters, digits and hyphens, at most 63, ${ends}`,
});

export const newRuntimeName = Type.String({
  pattern: '^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$',
  description:
    'lower-case letters, digits and hyphens, at most 38, beginning with a letter and not ending with a hyphen',
});

export const emailAddress = Type.String({
  maxLength: 320,
  pattern: '^[^@\\s]+@[^@\\s]+$',
  description: 'an address such as ana@example.com',
});
