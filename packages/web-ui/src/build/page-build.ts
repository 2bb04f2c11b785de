import react from '@vitejs/plugin-react';
import { takeContractData } from './contract-data.js';
import type { Plugin, UserConfig } from 'vite';

/**
 * The settings by which Vite builds the page of an app: `src/web/index.html` becomes `dist/web`, with a hash of the
 * content in the name of each other file. Nothing is inlined, because the policy of the pages forbids that.
 */
export function createPageBuild(): UserConfig {
  return {
    root: 'src/web',
    base: '/',
    publicDir: false,
    plugins: [react(), takeContractData(), refuseModulesOfNode()],
    build: {
      outDir: '../../dist/web',
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // Said of each public module of core that has such a file, also where no page uses it.
        onLog: (level, log, report) => {
          if (!log.message.includes('externalized for browser compatibility')) report(level, log);
        },
      },
    },
    logLevel: 'warn',
  };
}

/** Ends a build whose scripts use a module of node, which is an empty object in browsers (docs/decisions/0146). */
export function refuseModulesOfNode(): Plugin {
  return {
    name: 'refuse-modules-of-node',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const [used] = chunk.moduleIds.filter((id) => /browser-external|^node:/.test(id));
        if (used !== undefined) this.error(`${chunk.fileName} uses ${used}, which no browser has`);
      }
    },
  };
}
