import { createLog } from '@pos/service-kit/telemetry/log';
import { TestBench } from '../test-bench/bench.js';
import { openHouse } from '../command/house.js';
import { FLOWS } from '../flows/flows.js';
import { ZOO_RESTAURANTS } from './houses.js';
import { isGoodEnough, renderZooReport } from './zoo-record.js';
import { runZoo } from './zoo-run.js';

// `pnpm zoo`: how good the tester is, measured; 0 only if it is good enough.

/** Flows mostly wait. */
const LANES = 4;
/** An EPOS that never answers is waited for no longer than shows it. */
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
    let visited = 0;
    const record = await runZoo(bench, {
      ...{ houses: ZOO_RESTAURANTS, flows: FLOWS, lanes: LANES },
      onVisit: ({ epos, transport, caught }) => {
        visited += 1;
        const how = caught === null ? 'MISSED' : `${caught.flow} [${caught.clause}]`;
        process.stderr.write(`${visited} ${transport} an EPOS ${epos}: ${how}\n`);
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
