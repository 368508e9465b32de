// The answer of a plan in words, and what it means for what runs.
import type { PlanAnswer, PlannedApplicationChange, PlannedObject } from '@fairlead/contracts';
import { counted, formatCount } from '../../words/index.ts';

const podOwners: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Rollout'];

/** True when the pods of a workload would be replaced: their template is another one. */
export function restartsPods({ kind, change, before, after }: PlannedObject): boolean {
  if (change !== 'changed' || !podOwners.includes(kind)) return false;
  return JSON.stringify(templateOf(before)) !== JSON.stringify(templateOf(after));
}

function templateOf(manifest: unknown): unknown {
  const { spec } = (manifest ?? {}) as { spec?: { template?: unknown } };
  return spec?.template;
}

/** The headline: how many applications, then how many objects, in the order people worry. */
export function planWords({ applications, following }: PlanAnswer): { readonly lead: string; readonly rest: string } {
  if (applications.length === 0) {
    return { lead: 'Nothing would change', rest: `in ${followersWords(following)}.` };
  }
  const failed = applications.filter(({ change }) => change === 'failed').length;
  const changing = applications.length - failed;
  const lead = `${formatCount(changing)} ${changing === 1 ? 'application' : 'applications'} would change`;
  const failures = failed > 0 ? `; ${counted(failed, 'application')} could not be rendered` : '';
  const objects = objectsWords(applications.flatMap((application) => application.objects));
  return { lead, rest: `of ${followersWords(following)}${failures}${objects ? `: ${objects}` : ''}.` };
}

const followersWords = (following: number): string => `${formatCount(following)} that follow the branch`;

/** "1 removed, 2 changed (1 restarts pods), 3 added"; empty when there are none. */
export function objectsWords(objects: readonly PlannedObject[]): string {
  const count = (change: PlannedObject['change']) => objects.filter((object) => object.change === change).length;
  const restarts = objects.filter(restartsPods).length;
  const said = [
    count('removed') > 0 && `${count('removed')} removed`,
    count('changed') > 0 &&
      `${count('changed')} changed${restarts > 0 ? ` (${restarts} ${restarts === 1 ? 'restarts' : 'restart'} pods)` : ''}`,
    count('added') > 0 && `${count('added')} added`,
  ];
  return said.filter(Boolean).join(', ');
}

/** Those whose own name, or an object's, has the text in it. */
export function matchingChanges(
  applications: readonly PlannedApplicationChange[],
  text: string,
): readonly PlannedApplicationChange[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return applications;
  const has = (name: string) => name.toLowerCase().includes(wanted);
  return applications.filter(
    ({ name, objects }) => has(name) || objects.some((object) => has(`${object.kind} ${object.name}`)),
  );
}
