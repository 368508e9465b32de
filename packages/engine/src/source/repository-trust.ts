// Whom the engine believes beside what its machine believes: Argo CD's ConfigMaps of host keys and certificates, in the
// engine's namespace, as they are now.
import type { Logger } from '@fairlead/base';
import { type RemoteTrust, trustOfConfigMaps } from '@fairlead/git';
import { Informer, type KubeClient, recordAt } from '@fairlead/kube';

const names = { knownHosts: 'argocd-ssh-known-hosts-cm', certificates: 'argocd-tls-certs-cm' } as const;

export class RepositoryTrust {
  readonly #informers: Readonly<Record<keyof typeof names, Informer>>;

  constructor({ client, namespace, log }: { client: KubeClient; namespace: string; log: Logger }) {
    const informer = (name: string) => {
      const fieldSelector = `metadata.name=${name}`;
      return new Informer({ client, query: { apiVersion: 'v1', kind: 'ConfigMap', namespace, fieldSelector }, log });
    };
    this.#informers = { knownHosts: informer(names.knownHosts), certificates: informer(names.certificates) };
  }

  async run(options: { signal: AbortSignal }): Promise<void> {
    await Promise.all(Object.values(this.#informers).map((informer) => informer.run(options)));
  }

  async synced(options: { signal: AbortSignal }): Promise<void> {
    await Promise.all(Object.values(this.#informers).map((informer) => informer.synced(options)));
  }

  get current(): RemoteTrust {
    return trustOfConfigMaps({ knownHosts: this.#data('knownHosts'), certificates: this.#data('certificates') });
  }

  #data(name: keyof typeof names): Readonly<Record<string, string>> | undefined {
    const [configMap] = this.#informers[name].list();
    return configMap && (recordAt(configMap, 'data') as Record<string, string>); // a ConfigMap's data are texts
  }
}
