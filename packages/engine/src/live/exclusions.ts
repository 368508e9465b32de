// Kinds that are not watched: they change all the time, belong to no source, or cannot be listed in a useful way.
// The defaults of Argo CD's `resource.exclusions`, plus Events, which it leaves out of its cache as well.
import picomatch from 'picomatch';

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

/** `resource.exclusions` and `resource.inclusions` of `argocd-cm`: patterns; an empty list means any. */
export interface KindRule {
  readonly apiGroups: readonly string[];
  readonly kinds: readonly string[];
  readonly clusters: readonly string[];
}

export interface KindRules {
  /** In place of the defaults. */
  readonly exclusions?: readonly KindRule[];
  readonly inclusions?: readonly KindRule[];
}

interface Kind {
  readonly group: string;
  readonly kind: string;
}

/** Events are never watched; for the rest the rules decide, or the defaults where there are none. */
export function isExcluded(kind: Kind, { exclusions: own, inclusions }: KindRules = {}, server = ''): boolean {
  if (inclusions && !inclusions.some((rule) => isHit(rule, kind, server))) return true;
  if (!own) return isDefault(kind);
  const isEvent = kind.kind === 'Event' && ['', 'events.k8s.io'].includes(kind.group);
  return isEvent || own.some((rule) => isHit(rule, kind, server));
}

const isDefault = ({ group, kind }: Kind) =>
  exclusions.some(({ groups, kinds }) => groups.includes(group) && (kinds[0] === '*' || kinds.includes(kind)));

function isHit({ apiGroups, kinds, clusters }: KindRule, { group, kind }: Kind, server: string): boolean {
  const fits = (patterns: readonly string[], text: string) =>
    patterns.length === 0 ||
    patterns.some((pattern) => pattern === text || picomatch.isMatch(text, pattern, { bash: true }));
  return fits(apiGroups, group) && fits(kinds, kind) && fits(clusters, server);
}
