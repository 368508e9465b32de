import type { ApplicationId } from '@fairlead/contracts';
import type { NamedEntity } from '../../access/index.ts';
import { ApiFailure } from '../failure.ts';

// The same for what is not there and for what the caller may not know of.

export const unknownApplication = ({ runtime, namespace, name }: ApplicationId) =>
  new ApiFailure('not_found', `there is no application ${namespace}/${name} in runtime ${runtime}`);

export const unknownRuntime = (name: string) => new ApiFailure('not_found', `there is no runtime ${name}`);

const nouns = { runtime: 'runtime', cluster: 'cluster', gitSource: 'Git Source' } as const;

export const unknownNamed = ({ entity, runtime, name }: NamedEntity) =>
  entity === 'runtime'
    ? unknownRuntime(name)
    : new ApiFailure('not_found', `there is no ${nouns[entity]} ${name} in runtime ${runtime}`);
