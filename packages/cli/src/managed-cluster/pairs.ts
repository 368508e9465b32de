import { FairleadError } from '@fairlead/base';

/** `k=v,k2=v2` of a flag; a value may hold `=`. */
export function parsePairs(flag: string, text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const pairs = text
    .split(',')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1)] as const;
      throw new FairleadError(
        'bad_usage',
        `${flag}: ${JSON.stringify(pair)} is not key=value; write ${flag} team=core,region=eu`,
      );
    });
  return Object.fromEntries(pairs);
}
