// `spec.source.helm` as Argo CD writes it, read once and checked.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError, UnsupportedSourceError } from '../errors.ts';

export interface HelmParameter {
  readonly name: string;
  readonly value: string;
  readonly forceString: boolean;
}

export interface HelmSource {
  readonly valueFiles: readonly string[];
  readonly ignoreMissingValueFiles: boolean;
  /** YAML text. */
  readonly values: string;
  readonly valuesObject: unknown;
  readonly parameters: readonly HelmParameter[];
  readonly fileParameters: readonly { readonly name: string; readonly path: string }[];
  readonly releaseName: string | undefined;
  readonly namespace: string | undefined;
  readonly kubeVersion: string | undefined;
  readonly apiVersions: readonly string[];
  readonly skipCrds: boolean;
  readonly skipTests: boolean;
  readonly skipSchemaValidation: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const textOrNone = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function helmSourceOf(source: ApplicationSource): HelmSource {
  const helm = fieldsOf((source as Fields)['helm']); // the contract lets fields it does not name pass
  if (helm['version'] === 'v2') throw new UnsupportedSourceError('source.helm.version: Helm 2 is not supported');
  return {
    valueFiles: texts(helm['valueFiles']),
    ignoreMissingValueFiles: helm['ignoreMissingValueFiles'] === true,
    values: textOrNone(helm['values']) ?? '',
    valuesObject: helm['valuesObject'],
    parameters: listOf(helm['parameters']).map((item) => ({
      name: nameOf(item, 'parameters'),
      value: item['value'] === undefined ? '' : String(item['value']),
      forceString: item['forceString'] === true,
    })),
    fileParameters: listOf(helm['fileParameters']).map((item) => ({
      name: nameOf(item, 'fileParameters'),
      path: String(item['path'] ?? ''),
    })),
    releaseName: textOrNone(helm['releaseName']),
    namespace: textOrNone(helm['namespace']),
    kubeVersion: textOrNone(helm['kubeVersion']),
    apiVersions: texts(helm['apiVersions']),
    skipCrds: helm['skipCrds'] === true,
    skipTests: helm['skipTests'] === true,
    skipSchemaValidation: helm['skipSchemaValidation'] === true,
  };
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

function nameOf(item: Fields, list: string): string {
  const name = item['name'];
  if (typeof name !== 'string' || name === '') throw new RenderError(`source.helm.${list}: an entry has no name`);
  return name;
}
