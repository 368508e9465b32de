// A Chromium for the browser tests: the machine's own when there is one, else the headless build that comes inside an
// npm package together with the libraries and fonts a bare machine lacks.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { root } from './bootstrap.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'];

/** @returns {Promise<{executablePath: string, args: string[], env: Record<string, string>}>} */
export async function findBrowser() {
  const own = process.env.CHROMIUM_PATH ?? onPath();
  if (own) return { executablePath: own, args: flags, env: {} };
  const dir = await unpackBrowser();
  return {
    executablePath: join(dir, 'chromium'),
    args: [...flags, '--no-zygote', '--headless=shell', '--font-render-hinting=none'],
    env: { LD_LIBRARY_PATH: join(dir, 'lib'), FONTCONFIG_FILE: join(dir, 'fonts.conf') },
  };
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
}

async function unpackBrowser() {
  const dir = join(root, 'node_modules/.cache/fairlead-chromium');
  if (existsSync(dir)) return dir;
  const packed = join(root, 'node_modules/@sparticuz/chromium/bin');
  const half = `${dir}.half-${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  for (const name of ['chromium', 'al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
    const target = join(half, name);
    await pipeline(createReadStream(join(packed, `${name}.br`)), createBrotliDecompress(), createWriteStream(target));
    if (name.endsWith('.tar')) {
      execFileSync('tar', ['-xf', target, '-C', half]);
      rmSync(target);
    }
  }
  chmodSync(join(half, 'chromium'), 0o755);
  const fonts = `<dir>${dir}/fonts</dir><cachedir>${dir}/font-cache</cachedir>`;
  writeFileSync(join(half, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>\n`);
  renameSync(half, dir);
  return dir;
}
