import { builtInShape, customShape } from '@fairlead/kube/patch';
import { type ResourceRow, type ResourceType, resourceType } from '../resource-type.ts';

/** A built-in kind whose group is served as v1. */
export const v1Kind = (group: string, row: Omit<ResourceRow, 'group' | 'version' | 'shape'>): ResourceType =>
  resourceType({ group, version: 'v1', shape: builtInShape({ group, kind: row.kind }) ?? customShape, ...row });
