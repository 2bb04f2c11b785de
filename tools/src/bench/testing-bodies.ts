import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startWorld, type World } from '../dev/world.js';
import type { BodyOperation } from './body-operations.js';
import { BodyTraffic, UNLIMITED } from './body-traffic.js';
import { fewBodies, TOO_DEEP, TOO_MANY, type WorstBody } from './worst-bodies.js';

const MINUTES = 60_000;

/**
 * Tests that each operation answers its large bodies, or those of them with these names, and refuses by a problem. How long
 * that takes is not asked here. Whoever sends them has what the operation asks for, so none is refused for that alone.
 */
export function testLargeBodies(operations: readonly BodyOperation[], names: readonly string[] | null): void {
  let world: World;
  let traffic: BodyTraffic;
  beforeAll(async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'pos-bodies-'));
    world = await startWorld({ dataDir, ports: 'free', restaurants: 2, durable: false, env: UNLIMITED });
    traffic = await BodyTraffic.open(world);
  }, 3 * MINUTES);
  afterAll(() => world.remove(), MINUTES);

  test.each(operations.map((each) => [`${each.operation.id} of ${each.app}, ${each.release}`, each] as const))(
    'large bodies are answered by %s, and what is refused is refused by a problem',
    async (_, wanted) => {
      const bodies = bodiesOf(wanted).filter(({ name }) => names === null || names.includes(name));
      const statuses: number[] = [];
      for (const body of bodies) statuses.push(await sendOne(traffic, wanted, body));
      expect(statuses.filter(isJudged)).not.toEqual([]);
    },
    MINUTES,
  );
}

/** Whether an answer shows that the body itself was judged. */
function isJudged(status: number): boolean {
  return (status >= 200 && status < 300) || status === 400 || status === 413;
}

async function sendOne(traffic: BodyTraffic, wanted: BodyOperation, body: WorstBody): Promise<number> {
  const send = await traffic.prepare(wanted);
  const { status, mediaType } = await send(body.json);
  const told = [body.name, status, mediaType];
  const isPassedOn = wanted.operation.passedOn?.statuses.includes(status) === true;
  expect([...told, isPassedOn || allowed(body).includes(status)]).toEqual([...told, true]);
  // What an EPOS says is passed on in its own words.
  if (wanted.operation.passedOn === undefined)
    expect([...told, mediaType.startsWith('application/problem+json')]).toEqual([...told, status >= 400]);
  return status;
}

/** A clock that is advanced works off simulated days, whatever is beside that wish. */
function bodiesOf({ operation, schema }: BodyOperation): WorstBody[] {
  const bodies = fewBodies(schema);
  return operation.id === 'advanceClock' ? bodies.filter(({ name }) => name === TOO_MANY || name === TOO_DEEP) : bodies;
}

/** The limits hold for all; what else an operation says depends on it, and is no failure of ours. */
function allowed({ name }: WorstBody): readonly number[] {
  if (name === TOO_MANY) return [413];
  if (name === TOO_DEEP) return [400];
  return [200, 204, 400, 402, 403, 404, 409, 413];
}
