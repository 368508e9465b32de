import { type ApplicationId, type NamedEntity, noApplicationWords, noNamedWords } from '@fairlead/contracts';
import { ApiFailure } from '../failure.ts';

// The same for what is not there and for what the caller may not know of.

export const unknownApplication = (id: ApplicationId) => new ApiFailure('not_found', noApplicationWords(id));

export const unknownNamed = (named: NamedEntity) => new ApiFailure('not_found', noNamedWords(named));

export const unknownRuntime = (name: string) => unknownNamed({ entity: 'runtime', runtime: name, name });
