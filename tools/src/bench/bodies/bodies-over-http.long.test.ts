import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorld, type DevWorld } from '../../dev/world.js';
import { type BodyOperation, listBodyOperations } from './body-operations.js';
import { BodyTraffic, UNLIMITED } from './body-traffic.js';
import { listFewBodies, TOO_DEEP, TOO_MANY, type WorstBody } from './worst-bodies.js';

const MINUTES = 60_000;

jest.setTimeout(MINUTES);

let world: DevWorld;
let traffic: BodyTraffic;
beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-bodies-'));
  world = await startWorld({ dataDir, ports: 'free', restaurants: 2, durable: false, env: UNLIMITED });
  traffic = await BodyTraffic.open(world);
}, 3 * MINUTES);
afterAll(() => world.remove());

// The requests have all permissions, so that none is refused for a missing one. The duration is not tested.
test.each(listBodyOperations().map((each) => [`${each.operation.id} of ${each.app}, ${each.release}`, each] as const))(
  'large bodies are answered by %s, and what is refused is refused by a problem',
  async (_, wanted) => {
    const statuses: number[] = [];
    for (const body of listBodies(wanted)) statuses.push(await sendOne(traffic, wanted, body));
    expect(statuses.filter(isChecked)).not.toEqual([]);
  },
);

/** Whether an answer shows that the body itself was validated. */
function isChecked(status: number): boolean {
  return (status >= 200 && status < 300) || status === 400 || status === 413;
}

async function sendOne(traffic: BodyTraffic, wanted: BodyOperation, body: WorstBody): Promise<number> {
  const send = await traffic.prepare(wanted);
  const { status, mediaType } = await send(body.json);
  const described = [body.name, status, mediaType];
  const isPassedOn = wanted.operation.passedOn?.statuses.includes(status) === true;
  expect([...described, isPassedOn || listAllowedStatuses(body).includes(status)]).toEqual([...described, true]);
  // Answers of an EPOS are passed on with its own messages.
  if (wanted.operation.passedOn === undefined)
    expect([...described, mediaType.startsWith('application/problem+json')]).toEqual([...described, status >= 400]);
  return status;
}

/** An advance of the clock processes simulated days, with any other member of that request. */
function listBodies({ operation, schema }: BodyOperation): WorstBody[] {
  const bodies = listFewBodies(schema);
  return operation.id === 'advanceClock' ? bodies.filter(({ name }) => name === TOO_MANY || name === TOO_DEEP) : bodies;
}

/** The limits hold for all operations; other refusals depend on the operation, and are no failure here. */
function listAllowedStatuses({ name }: WorstBody): readonly number[] {
  if (name === TOO_MANY) return [413];
  if (name === TOO_DEEP) return [400];
  return [200, 204, 400, 402, 403, 404, 409, 413];
}
