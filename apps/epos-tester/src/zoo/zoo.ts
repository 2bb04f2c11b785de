import { createLog } from '@pos/service-kit/telemetry/log';
import { TestBench } from '../test-bench/bench.js';
import { openHouse } from '../command/house.js';
import { FLOWS } from '../flows/flows.js';
import { ZOO_RESTAURANTS } from './houses.js';
import { isGoodEnough, renderZooReport } from './zoo-record.js';
import { runZoo } from './zoo-run.js';

// `pnpm zoo` measures the tester. It exits with 0 only if the tester is good enough.

/** Flows mostly wait. */
const LANES = 4;
/** How long to wait for an EPOS that never answers. */
const CALL_LIMIT_MS = 6_000;
const STOPPED = 3;

const house = await openHouse();
try {
  const log = createLog({ app: 'epos-tester', level: 'fatal' });
  const gatewayEnv = { NODE_ENV: 'test', EPOS_CALL_LIMIT_MS: String(CALL_LIMIT_MS) };
  const bench = await TestBench.open({ ...house, log, gatewayEnv });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(
      signal,
      () =>
        void bench
          .close()
          .then(house.close)
          .finally(() => process.exit(STOPPED)),
    );
  }
  try {
    let completed = 0;
    const record = await runZoo(bench, {
      ...{ houses: ZOO_RESTAURANTS, flows: FLOWS, lanes: LANES },
      onVisit: ({ epos, transport, caught }) => {
        completed += 1;
        const how = caught === null ? 'MISSED' : `${caught.flow} [${caught.clause}]`;
        process.stderr.write(`${completed} ${transport} an EPOS ${epos}: ${how}\n`);
      },
    });
    process.stdout.write(renderZooReport(record));
    process.exitCode = isGoodEnough(record) ? 0 : 1;
  } finally {
    await bench.close();
  }
} finally {
  await house.close();
}
