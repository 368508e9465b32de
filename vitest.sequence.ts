// The longest files first: begun last, one of them would run alone at the end. Vitest by itself begins with the largest.
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const long =
  /conformance\/(engine\/(scenarios-of-\w+|faults|engine)|runtime\/(configuration-walk|setup)|platform\/simulation\/simulation)\.test\.ts$/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
