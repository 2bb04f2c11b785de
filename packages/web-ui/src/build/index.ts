// The Vite build of an app's web page.
export { createPageBuild } from './page-build.js';
