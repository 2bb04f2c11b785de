// The end of a run (`globalTeardown`).
import { removeBundleFolder } from './bundle-folder.js';
import { endRun } from './set-up.js';

export default async function tearDown() {
  removeBundleFolder();
  await endRun();
}
