// The end of a run (`globalTeardown`).
import { endRun } from './set-up.js';

export default async function tearDown() {
  await endRun();
}
