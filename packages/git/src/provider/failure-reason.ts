// Why a provider said no, from the shapes in which providers say it: GitHub and Gitea `{message, errors}`, GitLab
// `{message | error, error_description, scope}`, Bitbucket `{error: {message, detail}}`, Gerrit plain text. Pure.

export interface Refusal {
  /** At most 500 characters; empty when the answer gives none. */
  readonly reason: string;
  /** What the token would have to be allowed as well, as the provider calls it; empty when it does not tell. */
  readonly missingScopes: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

export function readRefusal(text: string, headers: Headers): Refusal {
  const body = parsed(text);
  const reason = body === undefined ? plainText(text, headers) : reasonIn(body);
  return { reason: reason.slice(0, 500), missingScopes: missingScopes(body ?? {}, headers) };
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined; // a proxy's page, or Gerrit
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

function reasonIn(body: Fields): string {
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  const parts = [
    ...textsIn(body['message']),
    ...textsIn(body['error']),
    ...textsIn(body['error_description']),
    ...errors.flatMap((error) => textsIn(typeof error === 'string' ? error : fieldsOf(error)['message'])),
  ];
  return [...new Set(parts)].join('; ');
}

/** A text; or `{message}`; or GitLab's `{field: [texts]}`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((part) => typeof part === 'string');
  const fields = fieldsOf(value);
  if (typeof fields['message'] === 'string') return [fields['message']];
  return Object.entries(fields).flatMap(([field, texts]) =>
    Array.isArray(texts) ? texts.filter((part) => typeof part === 'string').map((part) => `${field} ${part}`) : [],
  );
}

function plainText(text: string, headers: Headers): string {
  return headers.get('content-type')?.startsWith('text/plain') ? (text.trim().split('\n')[0] ?? '') : '';
}

const words = (list: string) => list.split(/[\s,]+/).filter(Boolean);
const textList = (value: unknown) =>
  Array.isArray(value) ? value.filter((scope) => typeof scope === 'string') : undefined;

function missingScopes(body: Fields, headers: Headers): readonly string[] {
  const detail = fieldsOf(fieldsOf(body['error'])['detail']);
  const granted = textList(detail['granted']) ?? words(headers.get('x-oauth-scopes') ?? '');
  const required =
    textList(detail['required']) ??
    (typeof body['scope'] === 'string' ? words(body['scope']) : undefined) ??
    requiredByGitea(body['message']) ??
    acceptedByHeader(headers, granted);
  return required.filter((scope) => !granted.includes(scope));
}

/** `… required scope(s), required=[write:repository], token scope=…`, or `… required scope(s): [write:repository]`. */
function requiredByGitea(message: unknown): string[] | undefined {
  const list = /required(?: scope\(s\): |=)\[([^\]]*)\]/.exec(typeof message === 'string' ? message : '')?.[1];
  return list === undefined ? undefined : words(list);
}

/** One of the accepted scopes would do; fine-grained tokens are told permissions instead. */
function acceptedByHeader(headers: Headers, granted: readonly string[]): string[] {
  const permissions = headers.get('x-accepted-github-permissions');
  if (permissions !== null) return words(permissions.replaceAll(';', ','));
  const accepted = words(headers.get('x-accepted-oauth-scopes') ?? '');
  return accepted.some((scope) => granted.includes(scope)) ? [] : accepted;
}
