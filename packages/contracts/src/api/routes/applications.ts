// Applications as they were reported; filtered, sorted and paged by the server.
import { Type } from 'typebox';
import {
  ApplicationDetail,
  ApplicationFacets,
  ApplicationId,
  ApplicationPage,
  ResourceManifests,
  SearchHit,
} from '../entities.ts';
import { route } from '../route.ts';
import { application, optionalMoment, optionalText, text } from './fields.ts';

const applicationFilter = {
  /** Matches name, namespace, repository, image and revision, case-insensitive. */
  search: optionalText,
  /** Comma lists: `Degraded,Missing`. */
  health: optionalText,
  sync: optionalText,
  runtime: optionalText,
  cluster: optionalText,
  namespace: optionalText,
  destinationNamespace: optionalText,
  project: optionalText,
  repo: optionalText,
  /** Comma list of `key=value` or `key`; all must be there. */
  label: optionalText,
};

export const applicationRoutes = {
  listApplications: route({
    method: 'GET',
    path: '/api/v1/applications',
    summary: 'Applications of all runtimes, filtered, sorted and paged by the server.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({
      ...applicationFilter,
      sort: Type.Optional(Type.Union([Type.Literal('attention'), Type.Literal('name'), Type.Literal('changed')])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      after: optionalText,
    }),
    response: ApplicationPage,
  }),
  listApplicationFacets: route({
    method: 'GET',
    path: '/api/v1/application-facets',
    summary: 'The values that the filters of the list could take, with how many applications each would show.',
    auth: 'user',
    needs: 'member',
    query: Type.Object(applicationFilter),
    response: ApplicationFacets,
  }),
  getApplication: route({
    method: 'GET',
    path: application,
    summary: 'Everything that was reported of one application: status, tree, resources, history.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    query: Type.Object({ at: optionalMoment }),
    response: ApplicationDetail,
  }),
  getApplicationResource: route({
    method: 'GET',
    path: `${application}/resource`,
    summary: 'Desired and live manifest of one managed resource, and both sides of their diff.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    query: Type.Object({
      group: optionalText,
      kind: text,
      namespace: optionalText,
      resource: text,
      at: optionalMoment,
    }),
    response: ResourceManifests,
  }),
  search: route({
    method: 'GET',
    path: '/api/v1/search',
    summary: 'Finds applications, runtimes, projects and clusters by part of their name; the best ten of each.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ query: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: Type.Object({ items: Type.Array(SearchHit) }),
  }),
} as const;
