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

interface Chapter {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

const chapters: readonly Chapter[] = [
  { name: 'sync', scenarios: syncScenarios },
  { name: 'hooks', scenarios: hookScenarios },
  { name: 'waves', scenarios: waveScenarios },
  { name: 'prune', scenarios: pruneScenarios },
  { name: 'deletion', scenarios: deletionScenarios },
  { name: 'self-heal', scenarios: selfHealScenarios },
  { name: 'diff', scenarios: diffScenarios },
  { name: 'health', scenarios: healthScenarios },
  { name: 'projects', scenarios: projectScenarios },
  { name: 'applicationsets', scenarios: applicationSetScenarios },
];

interface PlayOptions {
  readonly isKept: boolean;
  readonly timeoutMs: number;
}

/** Defines one test a scenario. A stage that is kept is cleaned up after each. */
export function definePlays(stageNow: () => Stage, { isKept, timeoutMs }: PlayOptions): void {
  for (const { name: chapter, scenarios } of chapters) {
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
