import { argoGroup } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Argo CD's ApplicationSet, as far as the API server has to know it. */
export const applicationSetCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `applicationsets.${argoGroup}`,
    labels: { 'app.kubernetes.io/name': `applicationsets.${argoGroup}`, 'app.kubernetes.io/part-of': 'argocd' },
  },
  spec: {
    group: argoGroup,
    scope: 'Namespaced',
    names: {
      kind: 'ApplicationSet',
      listKind: 'ApplicationSetList',
      plural: 'applicationsets',
      singular: 'applicationset',
      shortNames: ['appset', 'appsets'],
    },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['metadata', 'spec'],
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: open,
              status: open,
            },
          },
        },
      },
    ],
  },
};
