// Managed clusters of a runtime. Their credentials arrive sealed to the runtime and are written into Argo CD's own Secret
// in its cluster; which clusters there are is also a commit in the Shared Configuration Repository, where there is one.
//
// To add one: `getSealingKey`, then `seal(JSON.stringify(credentials), {to: key, purpose:
// clusterCredentialsPurpose({userId: me.user.id, server})})`, then `addCluster`.
import { type Static, Type } from 'typebox';
import { Sealed } from '../runtime/sealing.ts';
import { CommitReceipt } from './commit.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
const clusterName = Type.Object({ cluster: text });
const texts = Type.Record(
  Type.String({ pattern: '^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$' }),
  Type.String({ maxLength: 4096 }),
);

/** As Argo CD keeps them in `config` of a cluster's Secret. What is sealed is the JSON of it. */
export const ClusterCredentials = Type.Object(
  {
    bearerToken: Type.String({ minLength: 1, maxLength: 16_384 }),
    tlsClientConfig: Type.Object(
      {
        /** base64 of PEM. */
        caData: Type.Optional(Type.String({ maxLength: 65_536 })),
        insecure: Type.Optional(Type.Boolean()),
        serverName: Type.Optional(Type.String({ maxLength: 253 })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ClusterCredentials = Static<typeof ClusterCredentials>;

/** What credentials are sealed for: this user gives them for this server. */
export const clusterCredentialsPurpose = ({ userId, server }: { userId: string; server: string }): string =>
  `cluster-credentials ${userId} ${server}`;

const receipt = Type.Object({
  name: text,
  server: text,
  /** Absent without a Shared Configuration Repository, and where nothing had to be committed. */
  commit: Type.Optional(CommitReceipt),
});

export const clusterRoutes = {
  addCluster: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/clusters`,
    summary: 'Registers a cluster that the runtime may deploy to. It must answer with these credentials.',
    auth: 'user',
    needs: 'admin',
    act: 'cluster.add',
    status: 201,
    secret: true,
    body: Type.Object({
      name: text,
      server: Type.String({ maxLength: 2048, pattern: '^https?://[^\\s@]+$' }),
      labels: Type.Optional(texts),
      annotations: Type.Optional(texts),
      sealed: Sealed,
    }),
    response: receipt,
  }),
  getCluster: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/clusters/{cluster}`,
    summary:
      'A managed cluster with its labels and annotations and, where Git has it, its file and the commit it was read at.',
    auth: 'user',
    needs: 'member',
    act: 'cluster.get',
    params: clusterName,
    response: Type.Object({
      name: text,
      server: text,
      labels: texts,
      annotations: texts,
      file: Type.Optional(text),
      text: Type.Optional(text),
      baseSha: Type.Optional(text),
    }),
  }),
  updateCluster: appProxyRoute({
    method: 'PATCH',
    path: `${appProxyApi}/clusters/{cluster}`,
    summary: 'Sets labels and annotations of a cluster by a commit; each given map replaces the one that is there.',
    auth: 'user',
    needs: 'admin',
    act: 'cluster.update',
    params: clusterName,
    body: Type.Object({
      labels: Type.Optional(texts),
      annotations: Type.Optional(texts),
      /** The commit that was looked at; a file that changed since is a conflict. */
      baseSha: Type.Optional(text),
      message: Type.Optional(Type.String({ maxLength: 4096 })),
    }),
    response: receipt,
  }),
  rotateCluster: appProxyRoute({
    method: 'PUT',
    path: `${appProxyApi}/clusters/{cluster}/credentials`,
    summary: 'Replaces the credentials of a cluster; it must answer with the new ones.',
    auth: 'user',
    needs: 'admin',
    act: 'cluster.rotate',
    secret: true,
    params: clusterName,
    body: Type.Object({ sealed: Sealed }),
    response: receipt,
  }),
  removeCluster: appProxyRoute({
    method: 'DELETE',
    path: `${appProxyApi}/clusters/{cluster}`,
    summary: 'Unlinks a cluster from the runtime. What runs there stays as it is.',
    auth: 'user',
    needs: 'admin',
    act: 'cluster.remove',
    params: clusterName,
    response: receipt,
  }),
} as const;
