import path from 'node:path';
import { defineConfig } from 'vite';

/** Bundles the page of the card fields. The server reads `dist/card-fields` and writes both files into the frame. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'src/frame/page'),
  logLevel: 'warn',
  build: {
    outDir: '../../../dist/card-fields',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'main.ts', formats: ['iife'], name: 'cardFields', fileName: () => 'frame.js', cssFileName: 'frame' },
  },
});
