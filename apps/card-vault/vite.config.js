import path from 'node:path';
import { createScriptInventoryPlugin } from '@pos/service-kit/web-site';
import { defineConfig } from 'vite';

/** Bundles the page of the card fields. The server reads `dist/card-fields` and writes both files into the frame. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'src/frame/page'),
  logLevel: 'warn',
  // Every script that a payer's browser runs in the frame, and why.
  plugins: [createScriptInventoryPlugin({ main: 'Reads the card and sends it to the card vault.' })],
  build: {
    outDir: '../../../dist/card-fields',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'main.ts', formats: ['iife'], name: 'cardFields', fileName: () => 'frame.js', cssFileName: 'frame' },
  },
});
