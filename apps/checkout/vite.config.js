import path from 'node:path';
import { createScriptInventoryPlugin } from '@pos/service-kit/web-site';
import { refuseModulesOfNode, takeContractData } from '@pos/web-ui/build';
import { defineConfig } from 'vite';

/** Bundles `src/page` into one script and one style, named by a hash of their content. The server reads `dist/site`. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'src/page'),
  logLevel: 'warn',
  // Every script that a payer's browser runs on this page, and why.
  plugins: [
    createScriptInventoryPlugin({
      index: 'Shows the payment and its result, and passes the secret of the payment to the card fields.',
    }),
    takeContractData(),
    refuseModulesOfNode(),
  ],
  build: {
    outDir: '../../dist/site',
    emptyOutDir: true,
    target: 'es2022',
    // The page has one script, so there is nothing to preload.
    modulePreload: false,
    // An inlined image would need `data:` in the content security policy.
    assetsInlineLimit: 0,
  },
});
