import { mkdtemp } from 'node:fs/promises';
import { startWorld, type DevWorld, type WorldOptions } from '../dev/world.js';

/** The simulated bank answers late only by a short time, and is inquired soon. */
const TIMES = { INQUIRY_INTERVAL_MS: '300', ACQUIRER_DEADLINE_MS: '3000' } as const;

/**
 * Starts a world for tests of its pages in a browser. Two of its ports are for pages and receivers of integrators. A
 * person at a card machine needs a small scale of time: all that the sandbox waits for is divided by it.
 */
export async function startPageWorld(count: WorldOptions['count'] = {}, timeScale = 40): Promise<DevWorld> {
  // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
  const dataDir = await mkdtemp('/var/tmp/pos-pages-');
  const options = { ports: 'free', restaurants: 2, receivers: 2, durable: false } as const;
  return startWorld({
    dataDir,
    ...options,
    count,
    env: { '*': { ...TIMES, SIMULATOR_TIME_SCALE: String(timeScale) } },
  });
}
