// GitHub and GitHub Enterprise Server by their REST API (version 2022-11-28).
import type { ProviderOptions } from './git-provider.ts';
import { fileBelow, type HubDialect, HubProvider } from './hub-provider.ts';
import { verifyHubSignature } from './webhook-signature.ts';

const dialect: HubDialect = {
  kind: 'github',
  name: 'GitHub',
  defaultWebUrl: 'https://github.com',
  apiUrlOf(webUrl) {
    const { host, origin, protocol } = new URL(webUrl);
    if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`;
    return `${origin}/api/v3`;
  },
  headers: (token) => ({
    accept: 'application/vnd.github+json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    'x-github-api-version': '2022-11-28',
  }),
  pageSize: 'per_page',
  commitId: 'sha',
  webhookType: 'web',
  mergeCall: ({ method = 'merge', expectedHead }) => ({
    method: 'PUT',
    body: { merge_method: method, ...(expectedHead ? { sha: expectedHead } : {}) },
  }),
  verifyWebhook: verifyHubSignature,
  filePath: (file) => fileBelow('blob', file),
};

export class GitHubProvider extends HubProvider {
  constructor(options: ProviderOptions) {
    super(dialect, options);
  }
}
