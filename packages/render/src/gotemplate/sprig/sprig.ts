// Masterminds/sprig v3, the functions Helm adds to Go's own. What a function may touch comes in the context: no file,
// environment variable or network is reachable (`env`, `expandenv` are not there, as in Helm; `getHostByName` refuses).
import type { GoFunction } from '../value.ts';
import { certificateFunctions } from './certificates.ts';
import type { SprigContext } from './context.ts';
import { conversionFunctions } from './convert.ts';
import { cryptoFunctions } from './crypto.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions, reflectionFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encoding.ts';
import { listFunctions } from './lists.ts';
import { mathFunctions } from './math.ts';
import { pathFunctions, urlFunctions } from './paths.ts';
import { randomFunctions } from './random.ts';
import { regexFunctions } from './regex.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';

/** The functions that need nothing of the world: the same for every render. */
const pure: () => ReadonlyMap<string, GoFunction> = once(
  () =>
    new Map(
      [
        stringFunctions,
        listFunctions,
        dictFunctions,
        mathFunctions,
        conversionFunctions,
        defaultFunctions,
        reflectionFunctions,
        encodingFunctions,
        regexFunctions,
        semverFunctions,
        pathFunctions,
        urlFunctions,
      ].flatMap((functions) => Object.entries(functions)),
    ),
);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function sprigFunctions(context: SprigContext): Map<string, GoFunction> {
  const functions = new Map(pure());
  for (const made of [dateFunctions, cryptoFunctions, certificateFunctions, randomFunctions].map((make) =>
    make(context),
  )) {
    for (const name of Object.keys(made)) {
      const found = made[name];
      if (found) functions.set(name, found);
    }
  }
  return functions;
}
