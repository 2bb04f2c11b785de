import path from 'node:path';
import { defineConfig } from 'vite';

/** The component as one file, for pages without a bundler: `dist/payment-component.min.js`. */
export default defineConfig({
  logLevel: 'warn',
  build: {
    // The compiler writes the other files into this folder before.
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    rolldownOptions: {
      input: path.join(import.meta.dirname, 'src/payment-component.ts'),
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: 'payment-component.min.js' },
    },
  },
});
