// The version that Helm would take: the very one named, else the highest that the range allows.
import { compareVersions, parseConstraints, parseVersion, satisfies } from '@fairlead/base';

export function pickVersion(available: readonly string[], wanted: string): string | undefined {
  if (available.includes(wanted)) return wanted;
  const constraints = parseConstraints(wanted === '' ? '*' : wanted);
  if (!constraints) return undefined;
  const fitting = available
    .map(parseVersion)
    .filter((version) => version !== undefined)
    .filter((version) => satisfies(version, constraints))
    .sort(compareVersions);
  return fitting.at(-1)?.original;
}

/** A whole version, which means one chart and needs no list to choose from. */
export const isExact = (version: string): boolean => /^v?\d+\.\d+\.\d+(?:[-+].*)?$/.test(version);
