// Kinds that are not watched: they change all the time, belong to no source, or cannot be listed in a useful way.
// The defaults of Argo CD's `resource.exclusions`, plus Events, which it leaves out of its cache as well.

interface Exclusion {
  readonly groups: readonly string[];
  readonly kinds: readonly string[];
}

const exclusions: readonly Exclusion[] = [
  { groups: ['', 'events.k8s.io'], kinds: ['Event'] },
  { groups: ['', 'discovery.k8s.io'], kinds: ['Endpoints', 'EndpointSlice'] },
  { groups: ['coordination.k8s.io'], kinds: ['Lease'] },
  { groups: ['metrics.k8s.io'], kinds: ['*'] },
  { groups: ['authentication.k8s.io', 'authorization.k8s.io'], kinds: ['*'] },
  { groups: ['certificates.k8s.io'], kinds: ['CertificateSigningRequest'] },
  { groups: ['cert-manager.io'], kinds: ['CertificateRequest'] },
  { groups: ['cilium.io'], kinds: ['CiliumIdentity', 'CiliumEndpoint', 'CiliumEndpointSlice'] },
  {
    groups: ['kyverno.io', 'reports.kyverno.io', 'wgpolicyk8s.io'],
    kinds: [
      'PolicyReport',
      'ClusterPolicyReport',
      'EphemeralReport',
      'ClusterEphemeralReport',
      'AdmissionReport',
      'ClusterAdmissionReport',
      'BackgroundScanReport',
      'ClusterBackgroundScanReport',
      'UpdateRequest',
    ],
  },
];

export function isExcluded({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return exclusions.some(({ groups, kinds }) => groups.includes(group) && (kinds[0] === '*' || kinds.includes(kind)));
}
