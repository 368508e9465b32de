import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ServicesProvider } from '../services/index.ts';
import type { composeApp } from './compose.ts';

export function App({ queryClient, router, services }: ReturnType<typeof composeApp>) {
  return (
    <ServicesProvider services={services}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesProvider>
  );
}
