// A row of the core group.
import { builtInShape, customShape } from '@fairlead/kube/patch';
import { type ResourceRow, type ResourceType, resourceType } from '../resource-type.ts';

export const core = (row: Omit<ResourceRow, 'group' | 'version' | 'shape'>): ResourceType =>
  resourceType({
    group: '',
    version: 'v1',
    shape: builtInShape({ group: '', kind: row.kind }) ?? customShape,
    ...row,
  });
