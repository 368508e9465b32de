// The CRDs of Argo CD's kinds that our engine installs where no Argo CD has done so.
import type { TSchema } from 'typebox';
import { ApplicationSpec, Operation } from './application.ts';
import { argoGroup } from './names.ts';

interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  readonly priority?: number;
}

const preserved = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/**
 * Kubernetes wants structural schemas: unions of literals become enums, maps have no patterns, and open objects say so.
 */
function structural(schema: TSchema | unknown): unknown {
  if (Array.isArray(schema)) return schema.map(structural);
  if (schema === null || typeof schema !== 'object') return schema;
  const node = schema as Record<string, unknown>;
  const anyOf = node['anyOf'] as { const?: unknown; type?: string }[] | undefined;
  if (anyOf?.every((member) => 'const' in member)) return { type: 'string', enum: anyOf.map((member) => member.const) };
  const [values] = Object.values((node['patternProperties'] as Record<string, unknown> | undefined) ?? {});
  if (values !== undefined) return { type: 'object', additionalProperties: structural(values) };
  const entries = Object.entries(node).map(([key, value]) => [key, structural(value)]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy['type'] === 'object') copy['x-kubernetes-preserve-unknown-fields'] = true;
  return copy;
}

function crd(kind: string, names: { plural: string; shortNames: string[] }, schema: object, columns: PrinterColumn[]) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${argoGroup}`,
      labels: { 'app.kubernetes.io/name': `${names.plural}.${argoGroup}`, 'app.kubernetes.io/part-of': 'argocd' },
    },
    spec: {
      group: argoGroup,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, singular: kind.toLowerCase(), ...names },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
}

// No status subresource: Argo CD patches the status on the main resource.
export const applicationCrd = crd(
  'Application',
  { plural: 'applications', shortNames: ['app', 'apps'] },
  {
    type: 'object',
    required: ['metadata', 'spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: structural(ApplicationSpec),
      operation: structural(Operation),
      status: preserved,
    },
  },
  [
    { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
    { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
    { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
    { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
  ],
);

export const appProjectCrd = crd(
  'AppProject',
  { plural: 'appprojects', shortNames: ['appproj', 'appprojs'] },
  {
    type: 'object',
    required: ['metadata', 'spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: preserved,
      status: preserved,
    },
  },
  [],
);
