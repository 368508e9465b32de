// Acts on one application, through the engine that holds it.
import { Type } from 'typebox';
import { ActReceipt, RefreshRequest, SyncRequest } from '../api/entities.ts';
import { appProxyApplication as application, appProxyRoute } from './route.ts';

const params = Type.Object({ namespace: Type.String(), name: Type.String() });

export const applicationActs = {
  syncApplication: appProxyRoute({
    method: 'POST',
    path: `${application}/sync`,
    summary: 'Starts a synchronisation through the engine of the runtime.',
    auth: 'user',
    needs: 'SYNC',
    act: 'application.sync',
    status: 202,
    params,
    body: SyncRequest,
    response: ActReceipt,
  }),
  refreshApplication: appProxyRoute({
    method: 'POST',
    path: `${application}/refresh`,
    summary: 'Compares the application with Git now; `hard` forgets cached manifests too.',
    auth: 'user',
    needs: 'REFRESH',
    act: 'application.refresh',
    status: 202,
    params,
    body: RefreshRequest,
    response: ActReceipt,
  }),
  terminateOperation: appProxyRoute({
    method: 'POST',
    path: `${application}/terminate`,
    summary: 'Stops the running operation of the application.',
    auth: 'user',
    needs: 'TERMINATE_SYNC',
    act: 'application.terminate',
    status: 202,
    params,
    response: ActReceipt,
  }),
} as const;
