// Objects and lists in the form the client asked for.
import type { KubeObject } from '@fairlead/kube/object';
import { inVersion } from '../objects/index.ts';
import { ageColumn, type Column, nameColumn, type ResourceType } from '../registry/index.ts';
import type { Stored } from '../storage/index.ts';

const metaVersion = 'meta.k8s.io/v1';

export const apiVersionOf = ({ group, version }: Pick<ResourceType, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** The bytes of a stored object as they are kept, when the client asks for the version they are kept in. */
export function storedJson(stored: Stored, type: ResourceType): Buffer {
  if (stored.object.apiVersion === apiVersionOf(type)) return stored.json;
  return Buffer.from(JSON.stringify(inVersion(stored.object, type)));
}

export function partialMetadata(object: KubeObject): Record<string, unknown> {
  return { kind: 'PartialObjectMetadata', apiVersion: metaVersion, metadata: object.metadata };
}

interface TableOptions {
  readonly nowMs: number;
  /** What each row carries beside its cells; as `includeObject` of the request says. */
  readonly include: string | null;
  readonly metadata: object;
  /** Watches send the headings once. */
  readonly withHeadings?: boolean;
}

export function table(
  type: ResourceType,
  objects: readonly KubeObject[],
  options: TableOptions,
): Record<string, unknown> {
  const columns = type.columns.length > 0 ? type.columns : [nameColumn, ageColumn];
  const { nowMs, include, metadata, withHeadings = true } = options;
  return {
    kind: 'Table',
    apiVersion: metaVersion,
    metadata,
    columnDefinitions: withHeadings ? columns.map(heading) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.value(object, { nowMs }) ?? null),
      object: include === 'None' ? null : include === 'Object' ? inVersion(object, type) : partialMetadata(object),
    })),
  };
}

function heading({ name, type, format = '', description = '', priority }: Column): Record<string, unknown> {
  return { name, type, format, description, priority };
}
