// Webhook configurations, and where a service that is called stands.
import type { KubeObject } from '@fairlead/kube/object';
import { fill, mapItems, mapMember } from './fill.ts';

/** A client configuration with the port of its service. */
export const withServicePort = (config: unknown): Record<string, unknown> =>
  mapMember(fill(config, {}), 'service', (service) => fill(service, { port: 443 }));

const usual = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

export function defaultWebhooks(object: KubeObject): KubeObject {
  const values = object.kind === 'MutatingWebhookConfiguration' ? { ...usual, reinvocationPolicy: 'Never' } : usual;
  const filled = mapItems(object, 'webhooks', (webhook) =>
    mapItems(mapMember(fill(webhook, values), 'clientConfig', withServicePort), 'rules', (rule) =>
      fill(rule, { scope: '*' }),
    ),
  );
  return filled as KubeObject; // members were only added
}
