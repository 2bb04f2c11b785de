import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorld, type World } from '../dev/world.js';
import { type BodyOperation, bodyOperations } from './body-operations.js';
import { BodyTraffic, UNLIMITED } from './body-traffic.js';
import { fewBodies, TOO_DEEP, TOO_MANY, type WorstBody } from './worst-bodies.js';

// The short form of `pnpm bench:bodies`: how long they take is not asked here, only that they are answered, and how.

const MINUTES = 60_000;

let world: World;
let traffic: BodyTraffic;
beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-bodies-'));
  world = await startWorld({ dataDir, ports: 'free', restaurants: 2, durable: false, env: UNLIMITED });
  traffic = await BodyTraffic.open(world);
}, 3 * MINUTES);
afterAll(() => world.remove(), MINUTES);

const NAMED = bodyOperations().map((each) => [`${each.operation.id} of ${each.app}, ${each.release}`, each] as const);

test.each(NAMED)(
  'large bodies are answered by %s, and what is refused is refused by a problem',
  async (_, wanted) => {
    for (const body of bodiesOf(wanted)) {
      const send = await traffic.prepare(wanted);
      const { status, mediaType } = await send(body.json);
      const told = [body.name, status, mediaType];
      const isPassedOn = wanted.operation.passedOn?.statuses.includes(status) === true;
      expect([...told, isPassedOn || allowed(body).includes(status)]).toEqual([...told, true]);
      // What an EPOS says is passed on in its own words.
      if (wanted.operation.passedOn !== undefined) continue;
      expect([...told, mediaType.startsWith('application/problem+json')]).toEqual([...told, status >= 400]);
    }
  },
  MINUTES,
);

/** A clock that is advanced works off simulated days, whatever is beside that wish. */
function bodiesOf({ operation, schema }: BodyOperation): WorstBody[] {
  const bodies = fewBodies(schema);
  return operation.id === 'advanceClock' ? bodies.filter(({ name }) => name === TOO_MANY || name === TOO_DEEP) : bodies;
}

/** The limits hold for all; what else an operation says depends on it, and is no failure of ours. */
function allowed({ name }: WorstBody): readonly number[] {
  if (name === TOO_MANY) return [401, 413];
  if (name === TOO_DEEP) return [400, 401];
  return [200, 204, 400, 401, 402, 403, 404, 409, 413];
}
