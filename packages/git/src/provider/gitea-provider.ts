// Gitea and Forgejo by their REST API (v1). A token's scopes are told only where one is missing.
import type { ProviderOptions } from './git-provider.ts';
import { fileBelow, type HubDialect, HubProvider } from './hub-provider.ts';
import { isCommitId } from './web-address.ts';
import { verifyHexSignature } from './webhook-signature.ts';

const dialect: HubDialect = {
  kind: 'gitea',
  name: 'Gitea',
  defaultWebUrl: 'https://gitea.com',
  apiUrlOf: (webUrl) => `${webUrl}/api/v1`,
  headers: (token) => ({ accept: 'application/json', ...(token ? { authorization: `token ${token}` } : {}) }),
  pageSize: 'limit',
  commitId: 'id',
  webhookType: 'gitea',
  mergeCall: ({ method = 'merge', expectedHead }) => ({
    method: 'POST',
    body: { Do: method, ...(expectedHead ? { head_commit_id: expectedHead } : {}) },
  }),
  verifyWebhook: (delivery, secret) => verifyHexSignature(delivery, 'x-gitea-signature', secret),
  filePath: (file) => fileBelow(isCommitId(file.revision) ? 'src/commit' : 'src/branch', file),
};

export class GiteaProvider extends HubProvider {
  constructor(options: ProviderOptions) {
    super(dialect, options);
  }
}
