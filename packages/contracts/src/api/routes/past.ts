// What was deployed and what changed, when.
import { Type } from 'typebox';
import { ApplicationDiff, ApplicationId, ApplicationTimeline, DeploymentPage } from '../entities.ts';
import { route } from '../route.ts';
import { application, moment, optionalMoment, page } from './fields.ts';

export const pastRoutes = {
  listDeployments: route({
    method: 'GET',
    path: `${application}/deployments`,
    summary: 'Deployments of one application, newest first: who, what, how long, how it ended.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    query: Type.Object(page),
    response: DeploymentPage,
  }),
  listAllDeployments: route({
    method: 'GET',
    path: '/api/v1/deployments',
    summary: 'Deployments of all applications, newest first.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ ...page, from: optionalMoment, to: optionalMoment }),
    response: DeploymentPage,
  }),
  getApplicationTimeline: route({
    method: 'GET',
    path: `${application}/timeline`,
    summary: 'The moments at which an application changed, newest first, and its deployments per day.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    query: Type.Object({ ...page, from: optionalMoment, to: optionalMoment }),
    response: ApplicationTimeline,
  }),
  diffApplication: route({
    method: 'GET',
    path: `${application}/diff`,
    summary: 'What is different between two moments: resources added, removed and changed, by manifest hash.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    /** Without `to`: now. */
    query: Type.Object({ from: moment, to: optionalMoment }),
    response: ApplicationDiff,
  }),
} as const;
