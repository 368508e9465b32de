// Which versions of Argo CD the runtime works with: the 3.x line, as `/api/version` names it (`v3.3.10+abc1234`).

/** Why the runtime does not work with it; undefined when it does. */
export function unsupportedReason(version: string): string | undefined {
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === '3') return undefined;
  if (major === undefined)
    return `the engine's version ${JSON.stringify(version)} cannot be read; Argo CD 3.x is needed`;
  return `Argo CD ${version} is not supported; 3.x is needed: upgrade it, or install the runtime with an engine of its own`;
}
