import { checkReadiness, type ReadinessCheck } from './health.js';
import { addCollector, defineGauge } from '../metrics/metric-registry.js';

const READY = defineGauge({
  name: 'pos_ready',
  help: 'Whether a dependency of the process answers: 1, or 0 within two seconds.',
  labels: ['check'],
});

/** Runs the readiness checks at every scrape, until the returned function is called. */
export function collectReadiness(checks: readonly ReadinessCheck[]): () => void {
  return addCollector(async () => {
    const { missing } = await checkReadiness(checks);
    for (const { name } of checks) READY.set({ check: name }, missing.includes(name) ? 0 : 1);
  });
}
