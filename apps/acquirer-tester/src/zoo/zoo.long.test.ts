import { expect, test } from '@jest/globals';
import { FLOWS } from '../flows/flows.js';
import { findLimitedAlarms, runZoo, ZOO_MEMBERS } from './zoo-run.js';

test('every member is caught by the clause that it breaks, and the correct acquirer raises no alarm', async () => {
  const stop = new AbortController().signal;
  const record = await runZoo({ members: ZOO_MEMBERS, flows: FLOWS, concurrency: 4, now: () => new Date(), stop });
  expect(record.alarms).toEqual([]);
  expect(record.results.map(({ defect, caught }) => [defect, caught?.flow, caught?.clause])).toEqual(
    ZOO_MEMBERS.map(({ defect, flow, clause }) => [defect, flow, clause]),
  );
}, 300_000);

test('a correct acquirer raises no alarm for any capability that it lacks', async () => {
  const stop = new AbortController().signal;
  expect(await findLimitedAlarms({ flows: FLOWS, concurrency: 4, now: () => new Date(), stop })).toEqual([]);
}, 300_000);
