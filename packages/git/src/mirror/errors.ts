// Three things go wrong with a remote repository, and each says what a person should do about it.
import { ExecError, RetryableError, TerminalError } from '@fairlead/base';
import { redactUrl } from '../url/index.ts';

/** No answer, or an answer that is not git's. */
export class RepositoryUnreachableError extends RetryableError {
  constructor(url: string, reason: string, options: { cause?: unknown } = {}) {
    const advice = 'check that the URL is right and that this machine can reach it';
    super('git_unreachable', `repository ${redactUrl(url)} cannot be read: ${reason}; ${advice}`, options);
  }
}

/** The server wants other credentials, or any. */
export class AuthenticationRefusedError extends TerminalError {
  constructor(url: string, withCredentials: boolean, options: { cause?: unknown } = {}) {
    const what = withCredentials
      ? 'the server refused the credentials; check user name, password or token and their rights'
      : 'the server asks for credentials and none are configured; add a repository Secret for this URL';
    super('git_authentication', `authentication for repository ${redactUrl(url)} failed: ${what}`, options);
  }
}

/** The server's host key or certificate is not known: it may be somebody else. */
export class HostNotTrustedError extends TerminalError {
  constructor(url: string, kind: 'host key' | 'certificate', reason: string) {
    const advice =
      kind === 'host key'
        ? 'check it, then add it to ssh_known_hosts (Argo CD: ConfigMap argocd-ssh-known-hosts-cm)'
        : 'check it, then add its authority for this host (Argo CD: ConfigMap argocd-tls-certs-cm)';
    super('git_host_untrusted', `the ${kind} of ${redactUrl(url)} is not trusted: ${reason}; ${advice}`);
  }
}

export class RevisionNotFoundError extends TerminalError {
  constructor(url: string, revision: string) {
    const advice = 'give a branch, tag or commit that it has';
    super(
      'git_revision_not_found',
      `repository ${redactUrl(url)} has no revision ${JSON.stringify(revision)}; ${advice}`,
    );
  }
}

/** An object that the mirror should hold and does not: the next fetch may bring it. */
export class MissingObjectError extends RetryableError {
  constructor(url: string, id: string) {
    super('git_object_missing', `the mirror of ${url} does not hold object ${id}; the next fetch may bring it`);
  }
}

/** An object that is larger than we read, or of another kind than it should be. */
export class GitObjectError extends TerminalError {
  constructor(message: string) {
    super('git_object', message);
  }
}

const authenticationSigns = [
  'Authentication failed',
  'could not read Username',
  'could not read Password',
  'terminal prompts disabled',
  'Permission denied (publickey',
  'returned error: 401',
  'returned error: 403',
  'Invalid username or',
  'HTTP Basic: Access denied',
];

/** Turns a failed git child into one of the errors above; LC_ALL=C keeps the texts stable. */
export function remoteError(url: string, thrown: unknown, withCredentials: boolean): unknown {
  if (!(thrown instanceof ExecError)) return thrown;
  const { stderr } = thrown;
  if (authenticationSigns.some((sign) => stderr.includes(sign))) {
    return new AuthenticationRefusedError(url, withCredentials, { cause: undefined });
  }
  const untrusted = distrustIn(stderr);
  if (untrusted) return new HostNotTrustedError(url, untrusted.kind, redactWithin(untrusted.reason));
  const lines = stderr.split('\n').filter((line) => /^(fatal|error|remote|ERROR|ssh):?/.test(line));
  const reason =
    lines
      .at(-1)
      ?.replace(/^(fatal|error|remote): */, '')
      .trim() || thrown.message.slice(0, 300);
  return new RepositoryUnreachableError(url, redactWithin(reason));
}

function distrustIn(stderr: string): { kind: 'host key' | 'certificate'; reason: string } | undefined {
  if (stderr.includes('Host key verification failed')) {
    const line = stderr.split('\n').find((text) => /host key is known|HOST IDENTIFICATION HAS CHANGED/.test(text));
    return { kind: 'host key', reason: line?.replaceAll('@', '').trim() || 'Host key verification failed.' };
  }
  const reason = /(?:SSL certificate problem|server certificate verification failed|SSL: .*certificate)[^\n]*/.exec(
    stderr,
  )?.[0];
  return reason === undefined ? undefined : { kind: 'certificate', reason };
}

const redactWithin = (text: string) => text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/gi, '$1');
