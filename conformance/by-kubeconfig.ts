// What a role is given beside `kubeconfigFile` when it finds its cluster by that file, as on a laptop.
export const byKubeconfig = {
  kubeconfigContext: undefined,
  serviceAccountDir: '',
  kubernetesServiceHost: undefined,
  kubernetesServicePort: undefined,
} as const;
