// Credentials and trust in the shapes of Argo CD: fields of a repository Secret, data of its two ConfigMaps. Pure.
import type { GitCredentials, RemoteTrust } from './remote-access.ts';

/** `field` gives a field of the Secret, decoded. Keys of GitHub Apps are not read. */
export function credentialsOfSecret(field: (name: string) => string | undefined): GitCredentials {
  return {
    username: field('username'),
    password: field('password'),
    bearerToken: field('bearerToken'),
    sshPrivateKey: field('sshPrivateKey'),
    clientCertificate: field('tlsClientCertData'),
    clientKey: field('tlsClientCertKey'),
    proxy: field('proxy'),
    noProxy: field('noProxy'),
    insecure: field('insecure') === 'true' || field('insecureIgnoreHostKey') === 'true',
  };
}

/** Whether the Secret says who we are, not only how to connect. */
export const hasIdentity = (credentials: GitCredentials): boolean =>
  (['username', 'password', 'bearerToken', 'sshPrivateKey', 'clientKey'] as const).some(
    (name) => credentials[name] !== undefined,
  );

type Data = Readonly<Record<string, string>> | undefined;

/** Data of `argocd-ssh-known-hosts-cm` and of `argocd-tls-certs-cm`. */
export function trustOfConfigMaps({ knownHosts, certificates }: { knownHosts: Data; certificates: Data }): RemoteTrust {
  return { knownHosts: knownHosts?.['ssh_known_hosts'], certificateAuthorities: certificates };
}
