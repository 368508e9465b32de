import { FairleadError } from '@fairlead/base';

export class VersionFeedError extends FairleadError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('version_feed', message, options);
  }
}
