import type { ApplicationId } from '@fairlead/contracts';
import { ApiFailure } from '../failure.ts';

/** The same for what is not there and for what the caller may not know of. */
export const unknownApplication = ({ runtime, namespace, name }: ApplicationId) =>
  new ApiFailure('not_found', `there is no application ${namespace}/${name} in runtime ${runtime}`);
