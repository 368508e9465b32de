// `fetch` that may believe an authority of a company's own. An agent an authority, kept while there are few: connections
// are used again, and roots are not read anew for every call.
import { errorMessage } from '@fairlead/base';
import { Agent, fetch as fetchBy } from 'undici';

const agents = new Map<string, Agent>();
/** Hosts have one authority, mostly the same; at the bound the oldest is closed. */
const maxAgents = 20;

type Init = Pick<RequestInit, 'method' | 'headers' | 'redirect' | 'signal'> & { readonly body?: string };

export async function fetchTrusting(authority: string | undefined, url: URL, init: Init): Promise<Response> {
  if (authority === undefined) return fetch(url, init);
  // The answers of both have the same shape; their types come from two versions of one library.
  return (await fetchBy(url, { ...(init as object), dispatcher: agentFor(authority) })) as unknown as Response;
}

function agentFor(authority: string): Agent {
  const known = agents.get(authority);
  if (known) return known;
  const [oldest] = agents;
  if (oldest && agents.size >= maxAgents) {
    agents.delete(oldest[0]);
    void oldest[1].close();
  }
  const made = new Agent({ connect: { ca: authority } });
  agents.set(authority, made);
  return made;
}

const untrusted = /self.signed|unable to (verify|get)|certificate/i;

/** Why there was no answer, and what to do where we know it. */
export function unreachable({ hostname }: URL, error: Error): string {
  const reason = errorMessage(error);
  if (!untrusted.test(reason)) return reason;
  return `${reason}; add the authority of ${hostname} to the ConfigMap argocd-tls-certs-cm of the engine's namespace`;
}
