// Rollouts, ReplicaSets, AnalysisRuns and Workflows as runtimes reported them last.
import { Type } from 'typebox';
import { WorkloadDetail, WorkloadKind, WorkloadRow } from '../../events/workload.ts';
import { ApplicationId } from '../entities.ts';
import { route } from '../route.ts';
import { application, runtimeName } from './fields.ts';

const query = Type.Object({ kind: Type.Optional(WorkloadKind) });

export const workloadRoutes = {
  listApplicationWorkloads: route({
    method: 'GET',
    path: `${application}/workloads`,
    summary: 'Rollouts, ReplicaSets, AnalysisRuns and Workflows of one application, live, with their manifests.',
    auth: 'user',
    needs: 'VIEW',
    params: ApplicationId,
    query,
    response: Type.Object({ items: Type.Array(WorkloadDetail) }),
  }),
  listWorkloads: route({
    method: 'GET',
    path: '/api/v1/runtimes/{runtime}/workloads',
    summary:
      'Rollouts, ReplicaSets, AnalysisRuns and Workflows of a runtime, also those of no application; newest change first.',
    auth: 'user',
    // Whose they are, access rules cannot tell of all of them.
    needs: 'admin',
    params: runtimeName,
    query: Type.Object({ ...query.properties, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
    response: Type.Object({ items: Type.Array(WorkloadRow) }),
  }),
} as const;
