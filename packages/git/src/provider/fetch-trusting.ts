// `fetch` that may believe an authority of a company's own, and goes through the proxy of the environment as git does. An agent
// a way, kept while there are few: connections are used again, and roots are not read anew for every call.
import { errorMessage } from '@fairlead/base';
import { Agent, type Dispatcher, fetch as fetchBy, ProxyAgent } from 'undici';
import { proxyOf } from './proxy.ts';

const agents = new Map<string, Dispatcher>();
/** Hosts have one authority, mostly the same; at the bound the oldest is closed. */
const maxAgents = 20;

type Init = Pick<RequestInit, 'method' | 'headers' | 'redirect' | 'signal'> & { readonly body?: string };

export async function fetchTrusting(
  authority: string | undefined,
  url: URL,
  { env = process.env, ...init }: Init & { readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<Response> {
  const proxy = proxyOf(url, env);
  if (authority === undefined && proxy === undefined) return fetch(url, init);
  const dispatcher = agentFor({ authority, proxy });
  // The answers of both have the same shape; their types come from two versions of one library.
  return (await fetchBy(url, { ...(init as object), dispatcher })) as unknown as Response;
}

interface Way {
  readonly authority: string | undefined;
  readonly proxy: string | undefined;
}

function agentFor({ authority, proxy }: Way): Dispatcher {
  const key = `${proxy ?? ''} ${authority ?? ''}`;
  const known = agents.get(key);
  if (known) return known;
  const [oldest] = agents;
  if (oldest && agents.size >= maxAgents) {
    agents.delete(oldest[0]);
    void oldest[1].close();
  }
  const tls = authority === undefined ? {} : { ca: authority };
  const made = proxy === undefined ? new Agent({ connect: tls }) : new ProxyAgent({ uri: proxy, requestTls: tls });
  agents.set(key, made);
  return made;
}

const untrusted = /self.signed|unable to (verify|get)|certificate/i;

/** Why there was no answer, and what to do where we know it. */
export function unreachable({ hostname }: URL, error: Error): string {
  const reason = errorMessage(error);
  if (!untrusted.test(reason)) return reason;
  return `${reason}; add the authority of ${hostname} to the ConfigMap argocd-tls-certs-cm of the engine's namespace`;
}
