import { isGoodEnough, renderZooReport } from '@pos/conformance/zoo';
import { FLOWS } from '../flows/flows.js';
import { CAUGHT_SHARE, findLimitedAlarms, runZoo, ZOO_MEMBERS } from './zoo-run.js';

// `pnpm zoo` measures the tester. It exits with 0 only if every member is caught, and no correct acquirer raises an
// alarm, also not one that lacks capabilities.

/** Flows mostly wait. */
const CONCURRENCY = 4;

let completed = 0;
const run = {
  ...{ flows: FLOWS, concurrency: CONCURRENCY, stop: new AbortController().signal },
  now: () => new Date(performance.timeOrigin + performance.now()),
};
const limited = await findLimitedAlarms(run);
const caught = await runZoo({
  ...run,
  members: ZOO_MEMBERS,
  onResult: ({ defect, caught }) => {
    completed += 1;
    const how = caught === null ? 'MISSED' : `${caught.flow} [${caught.clause}]`;
    process.stderr.write(`${completed} an acquirer ${defect}: ${how}\n`);
  },
});
const record = { ...caught, alarms: [...caught.alarms, ...limited] };
process.stdout.write(renderZooReport(record, 'acquirer'));
process.exitCode = isGoodEnough(record, CAUGHT_SHARE) ? 0 : 1;
