import { describe, expect, it } from 'vitest';
import { checkBoundaries } from './boundaries.mjs';

const allowed = {
  base: [],
  kube: ['@fairlead/base'],
  platform: ['@fairlead/base'],
  cluster: ['@fairlead/kube/object'],
};
const declared = { base: [], kube: ['@fairlead/base'], platform: ['@fairlead/base'], cluster: ['@fairlead/kube'] };
const check = (path: string, text: string) => checkBoundaries([{ path, text }], allowed, declared).violations;

describe('the boundaries check', () => {
  it('lets an allowed import pass, and counts it', () => {
    const file = { path: 'packages/kube/src/a.ts', text: "import { sleep } from '@fairlead/base';" };
    expect(checkBoundaries([file], allowed, declared)).toEqual({ files: 1, imports: 1, violations: [] });
  });

  it.each([
    ['a static import', "import { KubeClient } from '@fairlead/kube';"],
    ['a type import', "import type { KubeClient } from '@fairlead/kube';"],
    ['a re-export', "export { KubeClient } from '@fairlead/kube';"],
    ['a dynamic import', "const kube = await import('@fairlead/kube');"],
  ])('finds a planted violation by %s', (_, text) => {
    expect(check('packages/platform/src/a.ts', text)).toHaveLength(1);
  });

  it('allows a subpath and nothing beside it', () => {
    expect(check('packages/cluster/src/a.ts', "import { gvkOf } from '@fairlead/kube/object';")).toEqual([]);
    expect(check('packages/cluster/src/a.ts', "import { KubeClient } from '@fairlead/kube';")).toHaveLength(1);
  });

  it('refuses to enter another room past its index', () => {
    expect(check('packages/kube/src/watch/a.ts', "import { b } from '../client/rest.ts';")).toHaveLength(1);
    expect(check('packages/kube/src/watch/a.ts', "import { b } from '../client/index.ts';")).toEqual([]);
  });

  it('refuses a relative import that leaves the package', () => {
    expect(check('packages/kube/src/a.ts', "import { b } from '../../base/src/b.ts';")).toHaveLength(1);
  });
});
