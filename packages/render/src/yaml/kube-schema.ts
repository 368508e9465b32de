// The two readings of plain text as schemas of js-yaml, which reads whatever the block reader leaves to it.
import { defineScalarTag, FAILSAFE_SCHEMA, mergeTag, NOT_RESOLVED, nullYaml11Tag, type Schema } from 'js-yaml';
import { type Booleans, boolOf, floatOf, integerOf } from './scalar.ts';

const digitsFirst = [...'0123456789+-'];

const intTag = defineScalarTag<number>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: digitsFirst,
  resolve: (source) => integerOf(source) ?? NOT_RESOLVED,
  identify: () => false,
});

const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: [...digitsFirst, '.'],
  resolve: (source) => floatOf(source) ?? NOT_RESOLVED,
  identify: () => false,
});

const boolTag = (which: Booleans) =>
  defineScalarTag<boolean>('tag:yaml.org,2002:bool', {
    implicit: true,
    implicitFirstChars: [...'tTfFyYnNoO'],
    resolve: (source) => boolOf(source, which) ?? NOT_RESOLVED,
    identify: () => false,
  });

const schemaOf = (which: Booleans): Schema =>
  FAILSAFE_SCHEMA.withTags(nullYaml11Tag, boolTag(which), intTag, floatTag, mergeTag);

export const schemas: Readonly<Record<Booleans, Schema>> = {
  kubernetes: schemaOf('kubernetes'),
  kustomize: schemaOf('kustomize'),
};
