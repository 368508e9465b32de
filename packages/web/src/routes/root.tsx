// What every address hangs from: the root, and the frame of signed-in people.
import type { ApiClient } from '@fairlead/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router';
import { Frame, NotFoundPage } from '../features/frame/index.ts';

/** Loaders ask early, beside the page's code, and wait at most `soon`; what comes, and what fails, is the page's to show. */
export interface RouterContext {
  readonly api: ApiClient;
  readonly queryClient: QueryClient;
  readonly now: () => number;
}

export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundPage });

export const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });
