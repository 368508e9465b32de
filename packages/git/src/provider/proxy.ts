// Whether an address is reached through a proxy, by the variables that git itself goes by (curl's rules). Pure.
type Environment = Readonly<Record<string, string | undefined>>;

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Undefined: directly. This machine is never reached through a proxy. */
export function proxyOf(url: URL, env: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = variable(env, name);
  if (!proxy || loopback.test(url.hostname) || isExcepted(url, variable(env, 'no_proxy') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const variable = (env: Environment, name: string) => env[name] ?? env[name.toUpperCase()];

/** Hosts with all that is below them, each with a port or without, separated by commas or spaces; `*` for all. */
function isExcepted(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const [, host = '', only] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      if (host === '' || (only !== undefined && only !== port)) return false;
      return host === '*' || url.hostname === host || url.hostname.endsWith(`.${host}`);
    });
}
