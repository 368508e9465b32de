// Health of kinds that come with widely used operators, as Argo CD ships it. What is not here can be given in Lua by
// `argocd-cm`.
import type { KubeObject } from '@fairlead/kube';
import { byCondition } from '../conditions.ts';
import type { Health } from '../status.ts';
import {
  analysisRunHealth,
  applicationSetHealth,
  cronWorkflowHealth,
  eventBusHealth,
  experimentHealth,
  workflowHealth,
} from './argo.ts';
import { cloudNativePgHealth } from './cloud-native-pg.ts';
import { crossplaneHealth } from './crossplane.ts';
import { fluxHealth } from './flux.ts';
import { gatewayClassHealth, gatewayHealth, routeHealth } from './gateway-api.ts';
import { kedaHealth } from './keda.ts';
import {
  certificateHealth,
  clusterExternalSecretHealth,
  knativeServiceHealth,
  nodeClaimHealth,
  prometheusHealth,
  rabbitmqHealth,
  strimziHealth,
  volumeSnapshotHealth,
} from './operators.ts';
import { rolloutHealth } from './rollout.ts';

type Check = (object: KubeObject) => Health;

const issuer = byCondition('Ready', 'Initializing issuer');
const fluxSource = fluxHealth(['ArtifactInStorage']);
const fluxPlain = fluxHealth([]);
const waitingFor = (kind: string) => byCondition('Ready', `Waiting for ${kind}`);

const checks: Readonly<Record<string, Check>> = {
  'argoproj.io/Rollout': rolloutHealth,
  'argoproj.io/AnalysisRun': analysisRunHealth,
  'argoproj.io/Experiment': experimentHealth,
  'argoproj.io/Workflow': workflowHealth,
  'argoproj.io/CronWorkflow': cronWorkflowHealth,
  'argoproj.io/ApplicationSet': applicationSetHealth,
  'argoproj.io/EventBus': eventBusHealth,
  'cert-manager.io/Certificate': certificateHealth,
  'cert-manager.io/Issuer': issuer,
  'cert-manager.io/ClusterIssuer': byCondition('Ready', 'Initializing ClusterIssuer'),
  'certmanager.k8s.io/Certificate': certificateHealth,
  'certmanager.k8s.io/Issuer': issuer,
  'external-secrets.io/ExternalSecret': waitingFor('ExternalSecret'),
  'external-secrets.io/PushSecret': waitingFor('PushSecret'),
  'external-secrets.io/SecretStore': waitingFor('SecretStore'),
  'external-secrets.io/ClusterSecretStore': waitingFor('ClusterSecretStore'),
  'external-secrets.io/ClusterExternalSecret': clusterExternalSecretHealth,
  'bitnami.com/SealedSecret': byCondition('Synced', 'Waiting for Sealed Secret to be decrypted'),
  'gateway.networking.k8s.io/Gateway': gatewayHealth,
  'gateway.networking.k8s.io/GatewayClass': gatewayClassHealth,
  'gateway.networking.k8s.io/HTTPRoute': routeHealth,
  'gateway.networking.k8s.io/GRPCRoute': routeHealth,
  'keda.sh/ScaledObject': kedaHealth(['Ready=False', 'Fallback=True'], 'Creating HorizontalPodAutoscaler Object'),
  'keda.sh/ScaledJob': kedaHealth(['Ready=False', 'Ready=Unknown'], 'Waiting for ScaledJob'),
  'kustomize.toolkit.fluxcd.io/Kustomization': fluxPlain,
  'helm.toolkit.fluxcd.io/HelmRelease': fluxHealth(['Released', 'TestSuccess']),
  'source.toolkit.fluxcd.io/GitRepository': fluxSource,
  'source.toolkit.fluxcd.io/HelmRepository': fluxSource,
  'source.toolkit.fluxcd.io/HelmChart': fluxSource,
  'source.toolkit.fluxcd.io/OCIRepository': fluxSource,
  'source.toolkit.fluxcd.io/Bucket': fluxSource,
  'notification.toolkit.fluxcd.io/Receiver': fluxPlain,
  'image.toolkit.fluxcd.io/ImageRepository': fluxPlain,
  'image.toolkit.fluxcd.io/ImagePolicy': fluxPlain,
  'image.toolkit.fluxcd.io/ImageUpdateAutomation': fluxPlain,
  'postgresql.cnpg.io/Cluster': cloudNativePgHealth,
  'serving.knative.dev/Service': knativeServiceHealth,
  'kafka.strimzi.io/Kafka': strimziHealth('Waiting for Kafka Cluster', true),
  'kafka.strimzi.io/KafkaTopic': strimziHealth('Waiting for Kafka Topic'),
  'kafka.strimzi.io/KafkaUser': strimziHealth('Waiting for Kafka User'),
  'kafka.strimzi.io/KafkaConnect': strimziHealth('Waiting for Kafka Connect', true),
  'kafka.strimzi.io/KafkaConnector': strimziHealth('Waiting for Kafka Connector'),
  'kafka.strimzi.io/KafkaBridge': strimziHealth('Waiting for Kafka Bridge', true),
  'snapshot.storage.k8s.io/VolumeSnapshot': volumeSnapshotHealth,
  'snapshot.storage.k8s.io/VolumeSnapshotContent': volumeSnapshotHealth,
  'monitoring.coreos.com/Prometheus': prometheusHealth,
  'karpenter.sh/NodeClaim': nodeClaimHealth,
  'rabbitmq.com/Queue': rabbitmqHealth('queue'),
  'rabbitmq.com/Exchange': rabbitmqHealth('exchange'),
  'rabbitmq.com/Binding': rabbitmqHealth('binding'),
  'rabbitmq.com/User': rabbitmqHealth('user'),
  'rabbitmq.com/Vhost': rabbitmqHealth('vhost'),
  'rabbitmq.com/Policy': rabbitmqHealth('policy'),
  'rabbitmq.com/Permission': rabbitmqHealth('permission'),
  'rabbitmq.com/Shovel': rabbitmqHealth('shovel'),
};

/** Groups that end like this, where no kind of them is known by name. */
const families: Readonly<Record<string, Check>> = {
  '.crossplane.io': crossplaneHealth(),
  '.upbound.io': crossplaneHealth(['Ready']),
};

export function customResourceCheck(group: string, kind: string): Check | undefined {
  const own = checks[`${group}/${kind}`];
  if (own) return own;
  const family = Object.keys(families).find((suffix) => group.endsWith(suffix));
  return family ? families[family] : undefined;
}
