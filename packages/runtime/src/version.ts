/** Of the whole repository; every package carries the same. */
export const version = '0.1.0';

/** Probes answer with it, so that the report of the runtime tells the version that runs, not the one that asks. */
export const versionHeader = 'x-fairlead-version';
export const versionHeaders: Readonly<Record<string, string>> = { [versionHeader]: version };
