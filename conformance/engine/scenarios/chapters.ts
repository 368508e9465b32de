// The scenarios in chapters, and how a test file plays them: concurrently, each with a repository, a namespace and
// an application of its own.
import { describe, it } from 'vitest';
import { applicationSetScenarios } from './applicationsets.ts';
import { deletionScenarios } from './deletion.ts';
import { diffScenarios } from './diff.ts';
import { healthScenarios } from './health.ts';
import { hookScenarios } from './hooks.ts';
import { Play, type Scenario } from './play.ts';
import { projectScenarios } from './projects.ts';
import { pruneScenarios } from './prune.ts';
import { selfHealScenarios } from './self-heal.ts';
import type { Stage } from './stage.ts';
import { syncScenarios } from './sync.ts';
import { waveScenarios } from './waves.ts';

/** Test files that share the chapters out, so that they run side by side. */
export type Part = 'syncs' | 'states';

interface Chapter {
  readonly name: string;
  readonly part: Part;
  readonly scenarios: readonly Scenario[];
}

const chapters: readonly Chapter[] = [
  { name: 'sync', part: 'syncs', scenarios: syncScenarios },
  { name: 'hooks', part: 'syncs', scenarios: hookScenarios },
  { name: 'waves', part: 'syncs', scenarios: waveScenarios },
  { name: 'prune', part: 'syncs', scenarios: pruneScenarios },
  { name: 'deletion', part: 'states', scenarios: deletionScenarios },
  { name: 'self-heal', part: 'states', scenarios: selfHealScenarios },
  { name: 'diff', part: 'states', scenarios: diffScenarios },
  { name: 'health', part: 'states', scenarios: healthScenarios },
  { name: 'projects', part: 'states', scenarios: projectScenarios },
  { name: 'applicationsets', part: 'states', scenarios: applicationSetScenarios },
];

interface PlayOptions {
  /** Default: both. */
  readonly only?: Part;
  readonly isKept: boolean;
  readonly timeoutMs: number;
}

/** Defines one test a scenario. A stage that is kept is cleaned up after each. */
export function definePlays(stageNow: () => Stage, { only, isKept, timeoutMs }: PlayOptions): void {
  for (const { name: chapter, scenarios } of chapters.filter(({ part }) => !only || part === only)) {
    describe.concurrent(chapter, { timeout: timeoutMs }, () => {
      for (const [index, { name, run, needs }] of scenarios.entries()) {
        const id = `${chapter}-${index + 1}`;
        it(`${id}: ${name}`, async ({ skip }) => {
          const stage = stageNow();
          skip(needs === 'pods' && !stage.runsPods, 'no pods run on this cluster');
          skip(needs === 'our engine' && !stage.isOurEngine, 'not promised by Argo CD');
          const play = new Play(id, stage, await stage.repository(`scenarios/${id}`));
          await run(play);
          await play.strike({ withNamespace: isKept });
        });
      }
    });
  }
}
