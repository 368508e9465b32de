// Setting up: where one is, and hosted runtimes.
import { Type } from 'typebox';
import { newRuntimeName } from '../names.ts';
import { route } from '../route.ts';
import { HostedInstall, SetupState } from '../setup.ts';
import { runtimeName } from './fields.ts';

const hosted = Type.Object({ name: Type.String(), install: HostedInstall });

export const setupRoutes = {
  getSetup: route({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'The three steps of the set-up and how far each is, computed from what is there.',
    auth: 'user',
    needs: 'member',
    response: SetupState,
  }),
  installHostedRuntime: route({
    method: 'POST',
    path: '/api/v1/hosted-runtimes',
    summary:
      'Asks for the hosted runtime of the account (one at most); the provisioner installs it. Again after a failure.',
    auth: 'user',
    needs: 'admin',
    status: 202,
    body: Type.Object({
      /** Default `hosted`. */
      name: Type.Optional(newRuntimeName),
    }),
    response: hosted,
  }),
  listHostedRuntimes: route({
    method: 'GET',
    path: '/api/v1/hosted-runtimes',
    summary: 'Hosted runtimes that should exist, and how far each is; the provisioner asks.',
    auth: 'user',
    needs: 'admin',
    response: Type.Object({ items: Type.Array(hosted) }),
  }),
  reportHostedInstall: route({
    method: 'PUT',
    path: '/api/v1/hosted-runtimes/{runtime}/progress',
    summary: 'The provisioner tells how far the installation is.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params: runtimeName,
    body: Type.Pick(HostedInstall, ['state', 'steps', 'message']),
    response: Type.Null(),
  }),
} as const;
