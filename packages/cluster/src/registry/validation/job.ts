// Job and CronJob.
import { equalJson, type KubeObject, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { scheduleProblem, zoneOffset } from '../../schedule/index.ts';
import type { FieldError } from '../resource-type.ts';
import { validatePodSpec } from './pod-spec.ts';
import { notNegative, required, unsupported } from './rules.ts';

export function validateJob(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const policy = stringAt(spec, 'template', 'spec', 'restartPolicy');
  const field = 'spec.template.spec.restartPolicy';
  const before = previous && recordAt(previous, 'spec');
  const isIndexed = spec['completionMode'] === 'Indexed';
  const changed = ['completions', 'selector', 'template', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex']
    // The pods of an indexed job may become more or fewer together with those that run at a time.
    .filter((name) => !(name === 'completions' && isIndexed && spec['completions'] === spec['parallelism']))
    // A job that waits may still be changed where its pods would run.
    .filter((name) => !(name === 'template' && before?.['suspend'] === true && !numberAt(object, 'status', 'active')))
    .filter((name) => before && !equalJson(before[name], spec[name]));
  return [
    ...notNegative(spec['parallelism'], 'spec.parallelism'),
    ...notNegative(spec['completions'], 'spec.completions'),
    ...notNegative(spec['backoffLimit'], 'spec.backoffLimit'),
    ...validatePodSpec(recordAt(spec, 'template')['spec'], 'spec.template.spec'),
    ...(policy === 'Always' ? [required(field, 'valid values: "OnFailure", "Never"')] : []),
    ...changed.map(
      (name): FieldError => ({
        type: 'Invalid',
        field: `spec.${name}`,
        message: 'field is immutable',
        ...(spec[name] === undefined ? { shown: 'null' } : { value: spec[name] }),
      }),
    ),
  ];
}

export function validateCronJob(object: KubeObject): readonly FieldError[] {
  const schedule = stringAt(object, 'spec', 'schedule') ?? '';
  if (schedule === '') return [required('spec.schedule')];
  const policy = stringAt(object, 'spec', 'concurrencyPolicy') ?? 'Allow';
  const zone = stringAt(object, 'spec', 'timeZone');
  const restart = stringAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'restartPolicy');
  const restartField = 'spec.jobTemplate.spec.template.spec.restartPolicy';
  const problem = scheduleProblem(schedule);
  const template = recordAt(object, 'spec', 'jobTemplate', 'spec', 'template');
  return [
    ...(problem === undefined
      ? []
      : [{ type: 'Invalid' as const, field: 'spec.schedule', message: problem, value: schedule }]),
    ...(zone === undefined || zoneOffset(zone)
      ? []
      : [{ type: 'Invalid' as const, field: 'spec.timeZone', message: `unknown time zone ${zone}`, value: zone }]),
    ...(policies.includes(policy) ? [] : [unsupported('spec.concurrencyPolicy', policy, policies)]),
    ...validatePodSpec(template['spec'], 'spec.jobTemplate.spec.template.spec'),
    ...(restart === 'Always' ? [required(restartField, 'valid values: "OnFailure", "Never"')] : []),
  ];
}

const policies = ['Allow', 'Forbid', 'Replace'];
