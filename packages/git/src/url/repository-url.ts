// Repository addresses: which ones git may be given, how two spellings of one repository are recognised, and how an
// address is shown. Nothing here talks to a network.
import { TerminalError } from '@fairlead/base';

export class InvalidRepositoryUrlError extends TerminalError {
  constructor(url: string, reason: string) {
    super('git_invalid_url', `repository URL ${JSON.stringify(redactUrl(url))} ${reason}`);
  }
}

/** `git@host:path`, the form of ssh that is no URL. A one-letter host would be a Windows drive. */
const scpForm = /^(?:([A-Za-z0-9._-]+)@)?([A-Za-z0-9][A-Za-z0-9.-]+):(?!\/\/)([^\s]+)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const unprintable = /[\u0000-\u0020\u007f]/;

export interface ParsedRepositoryUrl {
  /** What git is given: no user or password for http(s), so that neither shows in a process list. */
  readonly address: string;
  readonly protocol: 'http' | 'https' | 'ssh' | 'file';
  /** `https://host:port`, for rules that hold for one server; '' for file. */
  readonly origin: string;
  /** What stood in the URL itself. */
  readonly username?: string;
  readonly password?: string;
}

/** Refuses everything that is not plainly http, https, ssh or (only when allowed) a local path. */
export function parseRepositoryUrl(url: string, options: { allowFile?: boolean } = {}): ParsedRepositoryUrl {
  if (url === '') throw new InvalidRepositoryUrlError(url, 'is empty');
  if (url.startsWith('-')) throw new InvalidRepositoryUrlError(url, 'must not begin with "-"');
  if (unprintable.test(url)) throw new InvalidRepositoryUrlError(url, 'has spaces or control characters');
  if (url.includes('::'))
    throw new InvalidRepositoryUrlError(url, 'names a remote helper ("::"), which is not allowed');
  const file = /^(?:file:\/\/)?(\/.*)$/.exec(url);
  if (file) {
    if (!options.allowFile) throw new InvalidRepositoryUrlError(url, 'is a local path, which is not allowed here');
    return { address: file[1] ?? '', protocol: 'file', origin: '' };
  }
  if (!url.includes('://')) {
    const scp = scpForm.exec(url);
    if (!scp) throw new InvalidRepositoryUrlError(url, 'is neither http(s)://, ssh:// nor user@host:path');
    return { address: url, protocol: 'ssh', origin: `ssh://${scp[2]}` };
  }
  return parseHierarchical(url);
}

function parseHierarchical(url: string): ParsedRepositoryUrl {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new InvalidRepositoryUrlError(url, 'cannot be parsed');
  }
  const protocol = parsed.protocol.slice(0, -1);
  if (protocol !== 'http' && protocol !== 'https' && protocol !== 'ssh') {
    throw new InvalidRepositoryUrlError(url, `has protocol "${protocol}"; allowed: http, https, ssh`);
  }
  if (parsed.hostname === '' || parsed.hostname.startsWith('-'))
    throw new InvalidRepositoryUrlError(url, 'has no host');
  const origin = `${protocol}://${parsed.host}`;
  if (protocol === 'ssh') return { address: url, protocol, origin };
  const username = decodeURIComponent(parsed.username);
  const password = decodeURIComponent(parsed.password);
  parsed.username = '';
  parsed.password = '';
  return {
    address: parsed.href,
    protocol,
    origin,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
  };
}

/** The URL without user and password, for people and logs. */
export function redactUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

/**
 * One spelling per repository, as Argo CD compares them: scheme, user, port-less ssh form, `.git`, a slash at the end
 * and the case of the host do not count.
 */
export function normalizeRepositoryUrl(url: string): string {
  let text = url.trim();
  const scp = text.includes('://') ? null : scpForm.exec(text);
  if (scp) text = `${scp[2]}/${(scp[3] ?? '').replace(/^\/+/, '')}`;
  text = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/@]*@/, '');
  text = text.replace(/\/+$/, '').replace(/\.git$/i, '');
  const slash = text.indexOf('/');
  return slash < 0 ? text.toLowerCase() : text.slice(0, slash).toLowerCase() + text.slice(slash);
}

export function isSameRepository(a: string, b: string): boolean {
  return normalizeRepositoryUrl(a) === normalizeRepositoryUrl(b);
}
