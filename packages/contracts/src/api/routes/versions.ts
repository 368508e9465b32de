import { route } from '../route.ts';
import { Versions } from '../versions.ts';

export const versionRoutes = {
  listVersions: route({
    method: 'GET',
    path: '/api/v1/versions',
    summary: 'The versions of platform and runtimes, and the upgrades that the operator’s feed knows of.',
    auth: 'user',
    needs: 'member',
    response: Versions,
  }),
} as const;
