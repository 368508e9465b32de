import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  plugins: [react(), tailwindcss()],
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
        // Schemas are built by calls at module level, which looks like work; the browser needs only the route table.
        moduleSideEffects: [{ test: /packages[\\/]contracts[\\/]/, sideEffects: false }],
      },
    },
  },
});
