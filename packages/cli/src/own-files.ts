// Files of the product that the program finds from where it stands itself. This file is one level below its package as
// source, compiled and bundled; any other file would find them in one of these forms only.
import { fileURLToPath } from 'node:url';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What `fairlead` runs; for starting it again as another process. */
export const programFile = own('../bin/fairlead.mjs');
export const manifestFile = own('../package.json');
/** The UI as it was built. */
export const webDir = own('../../web/dist');
