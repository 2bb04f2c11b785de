import { createPageBuild } from '@pos/web-ui/build';
import { defineConfig, mergeConfig } from 'vite';
import { createReferencePlugin } from './src/web/reference-build/reference-plugin.js';

export default defineConfig(mergeConfig(createPageBuild(), { plugins: [createReferencePlugin()] }));
