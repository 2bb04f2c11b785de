import { createPageBuild } from '@pos/web-ui/build/page-build';
import { defineConfig } from 'vite';

export default defineConfig(createPageBuild());
