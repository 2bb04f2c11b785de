import { KillableDatabase } from './database-killed.js';
import { startReplacedServer } from './failing-server.js';

const ORDERS = 40;

/**
 * Runs the whole service on a primary and a synchronous standby, kills the primary during payments, promotes the
 * standby, and lets the old primary return. Prints the time without an answer. Resolves to the number of requests that
 * were lost or executed twice.
 */
async function failOver(): Promise<number> {
  console.log('starting the service on a primary and a synchronous standby');
  const database = await KillableDatabase.open(startReplacedServer);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void database.remove().finally(() => process.exit(1)));
  }
  try {
    await database.live({ orders: ORDERS, kills: 1 });
    const faults = await database.faults();
    console.log(
      `${(database.gapMs / 1_000).toFixed(2)} s from the kill to the next success, ${database.failedCount} answers in vain`,
    );
    console.log(faults.length === 0 ? '0 acknowledged requests lost, 0 executed twice' : `FAILED ${faults.join('\n')}`);
    return faults.length;
  } finally {
    await database.remove();
  }
}

process.exitCode = (await failOver()) === 0 ? 0 : 1;
