import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { livePath, type Route, routes, tunnelPath } from '@fairlead/contracts';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * What the page needs before its code, each under a name with a hash, so that a browser that was here before asks for
 * nothing: `start.js` runs before the first paint and is told which files each page's code is in, React Aria's one rule
 * stands under the id it looks for.
 */
function bootFiles(): Plugin {
  const tags = {
    'start.js': (src: string) => ({ tag: 'script', attrs: { src } }),
    'press.css': (href: string) => ({
      tag: 'link',
      attrs: { rel: 'stylesheet', href, id: 'react-aria-pressable-style' },
    }),
  } as const;
  const names = ['start.js', 'press.css'] as const;
  return {
    name: 'boot-files',
    generateBundle(_options, bundle) {
      const pages = `window.fairleadPages = ${JSON.stringify(pageFiles(bundle))};\n`;
      for (const name of names) {
        const text = readFileSync(new URL(`./boot/${name}`, import.meta.url), 'utf8');
        this.emitFile({ type: 'asset', name, source: name === 'start.js' ? pages + text : text });
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        names.map((name) => {
          const built = Object.values(bundle ?? {}).find((file) => file.type === 'asset' && file.names.includes(name));
          return { ...tags[name](built ? `/${built.fileName}` : `/boot/${name}`), injectTo: 'head-prepend' as const };
        }),
    },
  };
}

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>>[1];

/** By the name of a page's folder: the files of its code, without those that every page loads. */
function pageFiles(bundle: Bundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      withImports(imported, found);
    return found;
  };
  const always = chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...withImports(fileName)]);
  return Object.fromEntries(
    ['home', 'applications', 'application', 'sign-in'].flatMap((page) => {
      const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/features/${page}/index.ts`));
      return own ? [[page, [...withImports(own.fileName)].filter((name) => !always.includes(name))]] : [];
    }),
  );
}

/**
 * Of each route the browser's client needs only how it is called. The schemas are the server's: to make all of them at
 * each load took a browser 5 ms and 20 KiB.
 */
function routesToCall(): Plugin {
  const file = fileURLToPath(new URL('../contracts/src/api/routes.ts', import.meta.url));
  const called = Object.entries<Route>(routes).map(([name, { method, path, body, produces }]) => [
    name,
    { method, path, ...(body && { body: {} }), ...(produces && { produces }) },
  ]);
  const values = { routes: Object.fromEntries(called), livePath, tunnelPath };
  return {
    name: 'routes-to-call',
    load: (id) =>
      id === file
        ? Object.entries(values)
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join('\n')
        : undefined,
  };
}

export default defineConfig({
  base: '/',
  plugins: [bootFiles(), routesToCall(), react(), tailwindcss()],
  // By alias, not by the `source` condition: React Aria declares that condition too, without shipping the files.
  resolve: { alias: { '@fairlead/contracts': fileURLToPath(new URL('../contracts/src/index.ts', import.meta.url)) } },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: false,
    // The server's policy is `default-src 'self'`: a data: URL would be refused.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // Schemas are built by calls at module level, which looks like work; the browser needs none of them.
        moduleSideEffects: [{ test: /[\\/](packages[\\/]contracts|typebox)[\\/]/, sideEffects: false }],
        manualPureFunctions: ['Type'],
      },
    },
  },
});
