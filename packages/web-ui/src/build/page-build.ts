import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

/**
 * The settings by which Vite builds the page of an app: `src/web/index.html` becomes `dist/web`, with a hash of the
 * content in the name of each other file. Nothing is inlined, because the policy of the pages forbids that.
 */
export function createPageBuild(): UserConfig {
  return {
    root: 'src/web',
    base: '/',
    publicDir: false,
    plugins: [react()],
    build: {
      outDir: '../../dist/web',
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    logLevel: 'warn',
  };
}
