// Runtimes: known, registered, watched, revoked.
import { Type } from 'typebox';
import { RuntimePublicKey } from '../../runtime/identity.ts';
import { ClusterRow, GitSourceRow, QuarantinedObject, RuntimeAccess, RuntimeRow } from '../entities.ts';
import { newRuntimeName } from '../names.ts';
import { route } from '../route.ts';
import { runtimeName, text } from './fields.ts';

export const runtimeRoutes = {
  listRuntimes: route({
    method: 'GET',
    path: '/api/v1/runtimes',
    summary: 'Runtimes of the account with status, components and clusters.',
    auth: 'user',
    needs: 'member',
    response: Type.Object({ items: Type.Array(RuntimeRow) }),
  }),
  getRuntime: route({
    method: 'GET',
    path: '/api/v1/runtimes/{runtime}',
    summary: 'One runtime.',
    auth: 'user',
    needs: 'member',
    params: runtimeName,
    response: RuntimeRow,
  }),
  listClusters: route({
    method: 'GET',
    path: '/api/v1/clusters',
    summary: 'Clusters that runtimes deploy to, with whether they answer and why not.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ runtime: Type.Optional(Type.String()) }),
    response: Type.Object({ items: Type.Array(ClusterRow) }),
  }),
  listGitSources: route({
    method: 'GET',
    path: '/api/v1/git-sources',
    summary: 'Git Sources of runtimes: the folders that applications come from, and how they are.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ runtime: Type.Optional(Type.String()) }),
    response: Type.Object({ items: Type.Array(GitSourceRow) }),
  }),
  listQuarantine: route({
    method: 'GET',
    path: '/api/v1/runtimes/{runtime}/quarantine',
    summary: 'Reported objects of the runtime that could not be read, newest first, with the reason.',
    auth: 'user',
    needs: 'member',
    params: runtimeName,
    response: Type.Object({ items: Type.Array(QuarantinedObject) }),
  }),
  createRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes',
    summary:
      'Makes a runtime known and gives the one-time token it registers with. Again for a pending one: a new token.',
    auth: 'user',
    needs: 'admin',
    status: 201,
    body: Type.Object({
      name: newRuntimeName,
      kind: Type.Union([Type.Literal('hosted'), Type.Literal('hybrid')]),
    }),
    response: Type.Object({ runtime: RuntimeRow, installToken: text, expiresAt: text }),
  }),
  registerRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes/register',
    summary: 'A runtime exchanges its one-time install token for an identity: it brings its public key.',
    auth: 'none',
    status: 201,
    body: Type.Object({
      installToken: text,
      publicKey: RuntimePublicKey,
      /** What the installer takes it for; a token of another runtime is refused and stays unused. */
      runtimeName: Type.Optional(text),
    }),
    response: Type.Object({
      runtimeId: text,
      runtimeName: text,
      accountId: text,
      /** The runtime verifies user assertions with this key. */
      platformPublicKey: RuntimePublicKey,
    }),
  }),
  deleteRuntime: route({
    method: 'DELETE',
    path: '/api/v1/runtimes/{runtime}',
    summary: 'Forgets a runtime and all it reported; cuts its tunnel.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params: runtimeName,
    response: Type.Null(),
  }),
  rotateRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes/{runtime}/rotate',
    summary: 'A one-time token with which the runtime may register a new key; the old key works until it does.',
    auth: 'user',
    needs: 'admin',
    status: 201,
    params: runtimeName,
    response: Type.Object({ installToken: text, expiresAt: text }),
  }),
  setRuntimeAccess: route({
    method: 'PUT',
    path: '/api/v1/runtimes/{runtime}/access',
    summary: 'How the runtime is reached: by its tunnel, or by a URL, which is tried first. Acts under way go on.',
    auth: 'user',
    needs: 'admin',
    params: runtimeName,
    body: RuntimeAccess,
    response: RuntimeRow,
  }),
  revokeRuntime: route({
    method: 'POST',
    path: '/api/v1/runtimes/{runtime}/revoke',
    summary: 'The key of the runtime stops working and its tunnel is cut; what it reported stays.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params: runtimeName,
    response: Type.Null(),
  }),
} as const;
