// .Capabilities: what a template may know of the cluster. It is an input of the render, never asked of a cluster here.
import { RenderError } from '../errors.ts';
import { define, GoSlice, GoStruct, parseVersion, text, type Value } from '../gotemplate/index.ts';

/** Without a cluster Helm takes the versions it was built with; these are those of Helm 3.17. */
export const defaultKubeVersion = 'v1.32.0';

const defaultApiVersions = `
  v1 admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1 internal.apiserver.k8s.io/v1alpha1
  apps/v1 apps/v1beta1 apps/v1beta2 authentication.k8s.io/v1 authentication.k8s.io/v1alpha1
  authentication.k8s.io/v1beta1 authorization.k8s.io/v1 authorization.k8s.io/v1beta1 autoscaling/v1 autoscaling/v2
  autoscaling/v2beta1 autoscaling/v2beta2 batch/v1 batch/v1beta1 certificates.k8s.io/v1
  certificates.k8s.io/v1beta1 certificates.k8s.io/v1alpha1 coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1 coordination.k8s.io/v1
  discovery.k8s.io/v1 discovery.k8s.io/v1beta1 events.k8s.io/v1 events.k8s.io/v1beta1 extensions/v1beta1
  flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3 networking.k8s.io/v1
  networking.k8s.io/v1alpha1 networking.k8s.io/v1beta1 node.k8s.io/v1 node.k8s.io/v1alpha1 node.k8s.io/v1beta1
  policy/v1 policy/v1beta1 rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1
  resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3 scheduling.k8s.io/v1alpha1 scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1
  storage.k8s.io/v1beta1 storage.k8s.io/v1 storage.k8s.io/v1alpha1 storagemigration.k8s.io/v1alpha1 apiextensions.k8s.io/v1beta1
  apiextensions.k8s.io/v1
`
  .trim()
  .split(/\s+/);

const helmVersion = 'v3.17.3';

export function capabilitiesOf(kubeVersion: string | undefined, apiVersions: readonly string[] | undefined): GoStruct {
  const version = parseVersion(kubeVersion ?? defaultKubeVersion);
  if (!version) throw new RenderError(`kubeVersion ${JSON.stringify(kubeVersion)} is not a version`);
  const known = new Set([...defaultApiVersions, ...(apiVersions ?? [])]);
  const full = `v${version.major}.${version.minor}.${version.patch}${version.prerelease && `-${version.prerelease}`}${version.metadata && `+${version.metadata}`}`;
  return new GoStruct({
    type: 'chartutil.Capabilities',
    pointer: true,
    fields: [
      ['KubeVersion', kubeVersionOf(full, String(version.major), String(version.minor))],
      ['APIVersions', versionSet(known)],
      ['HelmVersion', helmVersionOf()],
    ],
  });
}

function kubeVersionOf(version: string, major: string, minor: string): GoStruct {
  const fields: [string, Value][] = [
    ['Version', version],
    ['Major', major],
    ['Minor', minor],
  ];
  const methods = { String: define('', () => version), GitVersion: define('', () => version) };
  return new GoStruct({ type: 'chartutil.KubeVersion', pointer: false, fields, text: version, methods });
}

function versionSet(known: ReadonlySet<string>): GoSlice {
  const methods = { Has: define('string', ([version]) => known.has(text(version))) };
  return new GoSlice([...known], 'string', { type: 'chartutil.VersionSet', methods });
}

function helmVersionOf(): GoStruct {
  return new GoStruct({
    type: 'version.BuildInfo',
    fields: [
      ['Version', helmVersion],
      ['GitCommit', ''],
      ['GitTreeState', ''],
      ['GoVersion', ''],
    ],
  });
}
