import { isGoodEnough, renderZooReport } from '@pos/conformance/zoo';
import { createLog } from '@pos/service-kit/telemetry';
import { TestBench } from '../test-bench/test-bench.js';
import { openTemporaryDatabase } from '../command/temporary-database.js';
import { FLOWS } from '../flows/flows.js';
import { HONEST_TILLS } from './honest-tills.js';
import { CAUGHT_SHARE, ZOO_RESTAURANTS } from './zoo-restaurants.js';
import { runZoo } from './zoo-run.js';

// `pnpm zoo` measures the tester. It exits with 0 only if the tester is good enough.

/** Flows mostly wait. */
const CONCURRENCY = 4;
/** How long to wait for an EPOS that never answers. */
const CALL_LIMIT_MS = 6_000;
const STOPPED = 3;

const restaurant = await openTemporaryDatabase();
try {
  const log = createLog({ app: 'epos-tester', level: 'fatal' });
  const gatewayEnv = { NODE_ENV: 'test', EPOS_CALL_LIMIT_MS: String(CALL_LIMIT_MS) };
  const bench = await TestBench.open({ ...restaurant, log, gatewayEnv });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(
      signal,
      () =>
        void bench
          .close()
          .then(restaurant.close)
          .finally(() => process.exit(STOPPED)),
    );
  }
  try {
    let completed = 0;
    const record = await runZoo(bench, {
      ...{ restaurants: ZOO_RESTAURANTS, tills: HONEST_TILLS, flows: FLOWS, concurrency: CONCURRENCY },
      onResult: ({ defect, transport, caught }) => {
        completed += 1;
        const how = caught === null ? 'MISSED' : `${caught.flow} [${caught.clause}]`;
        process.stderr.write(`${completed} ${transport} an EPOS ${defect}: ${how}\n`);
      },
    });
    process.stdout.write(renderZooReport(record, 'EPOS'));
    process.exitCode = isGoodEnough(record, CAUGHT_SHARE) ? 0 : 1;
  } finally {
    await bench.close();
  }
} finally {
  await restaurant.close();
}
