export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** `Basic` of RFC 7617. */
export const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const isCommitId = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);
