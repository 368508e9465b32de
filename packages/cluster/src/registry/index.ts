export { ageColumn, nameColumn } from './columns.ts';
export { customResourceCleanup } from './kinds/platform.ts';
export { Registry } from './registry.ts';
export {
  type Column,
  type FieldError,
  qualifiedPlural,
  type ResourceType,
  type RuleContext,
} from './resource-type.ts';
export { validateFinalizers, validateMetadata, validateNewName } from './validation/index.ts';
