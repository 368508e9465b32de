// The routes of the app-proxy as the platform serves them: the same, at a path that names the runtime.
import { type TObject, type TProperties, type TString, Type } from 'typebox';
import { type AppProxyRoute, appProxyApi, isOnApplication } from './route.ts';
import { type AppProxyRouteName, appProxyRoutes } from './routes.ts';

type Params<R> = R extends { readonly params: TObject<infer P extends TProperties> } ? P : unknown;
export type Relayed<R extends AppProxyRoute> = Omit<R, 'path' | 'params'> & {
  readonly path: string;
  readonly params: TObject<{ runtime: TString } & Params<R>>;
};

function relayed(route: AppProxyRoute): Relayed<AppProxyRoute> {
  const place = route.path.slice(appProxyApi.length);
  const path = isOnApplication(route)
    ? `/api/v1/applications/{runtime}${place.slice('/applications'.length)}`
    : `/api/v1/runtimes/{runtime}${place}`;
  return { ...route, path, params: Type.Object({ runtime: Type.String(), ...route.params?.properties }) };
}

/** The cast ties each name to its own schemas, which `relayed` leaves as they are. */
export const relayedRoutes = Object.fromEntries(
  Object.entries(appProxyRoutes).map(([name, route]) => [name, relayed(route)]),
) as unknown as { readonly [N in AppProxyRouteName]: Relayed<(typeof appProxyRoutes)[N]> };
