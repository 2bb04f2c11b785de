import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ProblemError } from '@pos/rest-contracts/client';
import { createReservation, listTables } from '@pos/rest-contracts/bookings';
import { listEposBookings, listReferenceEposCalls, replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { registerDataApi } from '../e2e/data-api-registration.js';
import { GATEWAYS, type Stage, type StageRestaurant, waitUntil } from '../e2e/stage.js';
import type { FaultScenario } from './scenario.js';

type NewReservation = z.input<typeof createReservation.body>;

const CAPABILITIES = ['SearchTables', 'CreateReservation', 'GetReservationById', 'SearchReservations'] as const;
/** Longer than it takes to kill the gateway. */
const ANSWER_DELAY_MS = 3_000;
const CALL_SEEN_MS_MAX = 15_000;
const CREATED_MS_MAX = 30_000;

/** The EPOS has the reservation and its answer is lost with the gateway. The repeat must find it, and create no other. */
const GATEWAY_KILLED_WHILE_RESERVING: FaultScenario = {
  says: 'the gateway is killed while the EPOS creates a reservation: the repeat returns it, and there is one',
  async run(stage, house) {
    const unregister = await registerDataApi(stage, house, CAPABILITIES);
    try {
      await reserveAcrossKill(stage, house);
    } finally {
      await unregister();
    }
    await stage.untilConnected();
  },
};

async function reserveAcrossKill(stage: Stage, house: StageRestaurant): Promise<void> {
  const { accountId } = house.scope;
  const body = await planReservation(stage, house);
  const idempotencyKey = randomUUID();
  const before = await countCreations(stage, house);
  await stage.sandbox(replaceEposFaults, {
    params: { accountId },
    body: { faults: [{ method: 'CreateReservation', effect: 'slow', delayMs: ANSWER_DELAY_MS, times: 1 }] },
  });
  const first = stage
    .api(house)(createReservation, { body, idempotencyKey })
    .then(
      () => 'answered',
      (error: unknown) => (error instanceof ProblemError ? error.reason : String(error)),
    );
  await waitUntil(
    'the EPOS receives the reservation',
    CALL_SEEN_MS_MAX,
    async () => (await countCreations(stage, house)) > before,
  );
  // The API sends a call to the first gateway that is ready.
  await stage.replace(GATEWAYS[0]);
  assert.equal(await first, 'epos_unanswered');
  const { id } = await repeatReservation(stage, house, { body, idempotencyKey });
  const { reservations } = await stage.sandbox(listEposBookings, { params: { accountId } });
  assert.deepEqual(
    reservations.filter(({ name }) => name === body.name).map((reservation) => reservation.id),
    [id],
  );
  assert.equal(await countCreations(stage, house), before + 1, 'the reservation was sent to the EPOS a second time');
}

/** A reservation of a table of the restaurant under a name that no other one has, on a day of its own. */
async function planReservation(stage: Stage, house: StageRestaurant): Promise<NewReservation> {
  const { data } = await stage.api(house)(listTables, { query: {} });
  const [table] = data;
  assert.ok(table !== undefined, 'the restaurant has no table');
  return {
    name: `Ada ${randomUUID()}`,
    covers: 2,
    startTime: '2031-03-01T19:00:00.000Z',
    endTime: '2031-03-01T21:00:00.000Z',
    tableIds: [table.id],
  };
}

/** Repeats the request with its key until it is answered, as an integrator does. */
async function repeatReservation(
  stage: Stage,
  house: StageRestaurant,
  request: { readonly body: NewReservation; readonly idempotencyKey: string },
) {
  const created: { readonly id: string }[] = [];
  await waitUntil('the reservation is answered', CREATED_MS_MAX, async () => {
    const reservation = await stage
      .api(house)(createReservation, request)
      .catch(() => null);
    if (reservation !== null) created.push(reservation);
    return created.length > 0;
  });
  const [reservation] = created;
  assert.ok(reservation !== undefined);
  return reservation;
}

async function countCreations(stage: Stage, { scope: { accountId } }: StageRestaurant): Promise<number> {
  const { calls } = await stage.sandbox(listReferenceEposCalls, { params: { accountId } });
  return calls.filter(({ method }) => method === 'CreateReservation').length;
}

/** Faults during a booking. */
export const BOOKING_SCENARIOS: readonly FaultScenario[] = [GATEWAY_KILLED_WHILE_RESERVING];
