// Manifests of a file that was named: what is wrong in it is wrong input, told by flag, file and line.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type Manifest, manifestsOfText, RenderError } from '@fairlead/render';
import { readInput } from '../input.ts';

export async function manifestsIn(file: string, flag: string): Promise<Manifest[]> {
  const text = await readInput(file, flag);
  try {
    return manifestsOfText(text, file);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new FairleadError('bad_input', `${flag} ${errorMessage(error)}; correct it there`);
  }
}
