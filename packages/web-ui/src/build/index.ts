// The Vite build of an app's web page.
export { createPageBuild, refuseModulesOfNode } from './page-build.js';
export { takeContractData } from './contract-data.js';
