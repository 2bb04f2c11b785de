import { randomUUID } from 'node:crypto';
import { Client, credentials, type MethodDefinition, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { type Permission, ROLES } from '@pos/core/identity';
import { type RefusalCode, requireValue } from '@pos/core/refusals';
import * as wire from '@pos/grpc-contracts/gateway';
import { findIntentByTransaction } from '@pos/store/payments';
import { listLiveConnections } from '@pos/store/connections';
import { selectRows } from '@pos/testing';
import type { RunningGateway } from '../../boot.js';
import { buildCallMetadata, type GatewayAccount, GatewayEnvironment } from '../../testing/gateway-world.js';
import { waitUntil } from '../../testing/polling.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '900' });
});
// Each test has a restaurant of its own. It ends with its test, so that it costs the next ones nothing.
afterEach(() => {
  for (const world of environment.simulators.worlds.splice(0)) world.stop();
});
afterAll(() => environment.close());

const START = new Date('2026-03-01T19:00:00Z');
const END = new Date('2026-03-01T21:00:00Z');
const RESERVATION = wire.ReservationDetails.fromPartial({
  ...{ name: 'Ada', covers: 2, startTime: START, endTime: END, tableIds: ['t-1'], guestRequests: 'a quiet corner' },
});
const PARTY = wire.PartyDetails.fromPartial({ tableIds: ['t-U3'], startTime: START, covers: 2, name: 'Ada' });

const rpcs = wire.BookingServiceService;

/** A device of the staff at one account. */
class StaffDevice {
  readonly #client: Client;

  constructor(
    address: string,
    readonly account: GatewayAccount,
  ) {
    this.#client = new Client(address, credentials.createInsecure());
  }

  call<Request, Response>(rpc: MethodDefinition<Request, Response>, request: Request): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = rpc;
    const metadata = buildCallMetadata(this.account.apiKey);
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        (error, response) => {
          if (error === null && response !== undefined) resolve(response);
          else reject(error ?? new Error(`${path} answered nothing`));
        },
      );
    });
  }

  /** The status and the code of a refusal. */
  async refuse<Request, Response>(rpc: MethodDefinition<Request, Response>, request: Request) {
    const error = await this.call(rpc, request).then(
      () => null,
      (caught: unknown) => caught as ServiceError,
    );
    return [status[error?.code ?? status.OK], error?.metadata.get('service-refusal-code')[0]];
  }

  createReservation(serviceReservationId: string = randomUUID(), details = RESERVATION) {
    return this.call(rpcs.createReservation, { serviceReservationId, details });
  }

  get epos() {
    return requireValue(this.account.sandbox.epos, 'the EPOS');
  }

  countCalls(name: string): number {
    return this.epos.listCalls().filter(({ method }) => method === name).length;
  }
}

interface DeviceOptions {
  readonly epos?: 'rest' | 'ws' | 'dialled' | 'stream' | 'tables-ws' | 'none';
  readonly capabilities?: readonly EposCapability[];
  readonly permissions?: readonly Permission[];
  readonly hasMachines?: boolean;
}

async function openDevice({ epos = 'rest', ...options }: DeviceOptions = {}): Promise<StaffDevice> {
  const account = await environment.createAccount({ epos, ...options });
  if (epos !== 'rest' && epos !== 'none' && epos !== 'dialled') {
    const kind = ({ ws: 'epos-ws', stream: 'epos-grpc-stream', 'tables-ws': 'tables-ws' } as const)[epos];
    await waitUntil(async () => {
      const { database } = environment.testDatabase;
      const open = await database.read(account.scope, (reader) => listLiveConnections(reader, [kind]));
      return open.length === 1;
    });
  }
  return new StaffDevice(gateway.urls.grpc, account);
}

/** The kinds and subjects of the events that were published. */
async function listEvents({ account }: StaffDevice): Promise<string[]> {
  const { accountId } = account.scope;
  const sql = `select kind, subject_id from events where account_id = $1 order by recorded_at, number`;
  const rows = await environment.testDatabase.database.dataSource.query<{ kind: string; subject_id: string }[]>(sql, [
    accountId,
  ]);
  return rows.map(({ kind, subject_id: subjectId }) => `${kind} ${subjectId}`);
}

describe.each(selectRows(['rest', 'ws'] as const))('over %s', (epos) => {
  test('a reservation is created, read, changed, listed and cancelled, and its events follow', async () => {
    const device = await openDevice({ epos });
    const { reservation } = await device.createReservation();
    const reservationId = requireValue(reservation, 'the reservation').reservationId;
    expect(reservation).toEqual({ reservationId, details: { ...RESERVATION, hostNotes: undefined } });
    expect(await device.call(rpcs.getReservation, { reservationId })).toEqual({ reservation });
    const larger = { ...RESERVATION, covers: 5, hostNotes: 'regular' };
    const changed = await device.call(rpcs.updateReservation, { reservationId, details: larger });
    expect(changed.reservation).toEqual({ reservationId, details: larger });
    const search = { tableId: 't-1', from: START, to: END, page: undefined };
    expect(await device.call(rpcs.listReservations, search)).toEqual({
      reservations: [changed.reservation],
      links: { before: undefined, after: undefined, unreadableCount: 0 },
    });
    await device.call(rpcs.deleteReservation, { reservationId });
    expect(await device.refuse(rpcs.getReservation, { reservationId })).toEqual(['NOT_FOUND', 'reservation_not_found']);
    expect(await listEvents(device)).toEqual(
      Array.from({ length: 3 }, () => `reservation.updated reservation:${reservationId}`),
    );
  });

  test('a party is seated, read, changed, listed and deleted', async () => {
    const device = await openDevice({ epos });
    const created = await device.call(rpcs.createParty, {
      ...{ servicePartyId: randomUUID(), details: PARTY, reservationId: undefined },
    });
    const { partyId = '' } = created.party ?? {};
    expect(created.party?.details).toEqual({ ...PARTY, status: 'Seated' });
    expect(await device.call(rpcs.getParty, { partyId })).toEqual(created);
    const details = { ...PARTY, status: 'Left' };
    const left = await device.call(rpcs.updateParty, { partyId, details, endTime: END });
    expect(left.party).toMatchObject({ partyId, endTime: END, details: { status: 'Left' } });
    const search = { tableId: 't-U3', completedOnly: true, page: undefined };
    expect((await device.call(rpcs.listParties, search)).parties).toEqual([left.party]);
    await device.call(rpcs.deleteParty, { partyId });
    expect(await device.refuse(rpcs.getParty, { partyId })).toEqual(['NOT_FOUND', 'party_not_found']);
    expect(await listEvents(device)).toEqual(Array.from({ length: 3 }, () => `party.updated party:${partyId}`));
  });

  test('a repeat with the same id creates nothing, and returns the reservation', async () => {
    const device = await openDevice({ epos });
    const id = randomUUID();
    const first = await device.createReservation(id);
    expect(await device.createReservation(id.toUpperCase())).toEqual(first);
    expect(device.countCalls('CreateReservation')).toBe(1);
    expect(device.epos.data.bookings.listReservations()).toHaveLength(1);
  });

  test('after a lost answer a repeat finds the reservation, and creates no second one', async () => {
    const device = await openDevice({ epos });
    const id = randomUUID();
    device.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    const request = { serviceReservationId: id, details: RESERVATION };
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(['DEADLINE_EXCEEDED', 'epos_unanswered']);
    const found = await device.createReservation(id);
    expect(found.reservation?.reservationId).toBe(device.epos.data.bookings.listReservations()[0]?.id);
    expect(device.countCalls('CreateReservation')).toBe(1);
    expect(await listEvents(device)).toHaveLength(1);
  });

  test('after a call that the EPOS never received a repeat creates the reservation', async () => {
    const device = await openDevice({ epos });
    const id = randomUUID();
    device.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'no-answer', times: 1 }]);
    const request = { serviceReservationId: id, details: RESERVATION };
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(['DEADLINE_EXCEEDED', 'epos_unanswered']);
    await device.createReservation(id);
    expect(device.epos.data.bookings.listReservations()).toHaveLength(1);
  });
});

test('after a lost answer an EPOS that cannot be searched is not asked to create the reservation again', async () => {
  const device = await openDevice({ capabilities: EPOS_CAPABILITIES.filter((name) => name !== 'SearchReservations') });
  device.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
  const request = { serviceReservationId: randomUUID(), details: RESERVATION };
  for (let repeats = 0; repeats < 2; repeats += 1)
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(['DEADLINE_EXCEEDED', 'epos_unanswered']);
  expect(device.countCalls('CreateReservation')).toBe(1);
});

test('two requests with one id at the same time send one call', async () => {
  const device = await openDevice();
  device.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'slow', delayMs: 300 }]);
  const request = { serviceReservationId: randomUUID(), details: RESERVATION };
  const outcomes = await Promise.all([1, 2].map(() => device.refuse(rpcs.createReservation, request)));
  expect(outcomes.sort()).toEqual([
    ['ABORTED', 'idempotency_in_progress'],
    ['OK', undefined],
  ]);
  expect(device.countCalls('CreateReservation')).toBe(1);
});

describe('an id that was used with other content', () => {
  const REUSED: [string, RefusalCode] = ['ALREADY_EXISTS', 'idempotency_key_reused'];
  const later = new Date('2026-03-02T19:00:00Z');

  test.each<[string, Partial<wire.ReservationDetails>]>([
    ['another guest', { name: 'Other' }],
    ['other covers', { covers: 4 }],
    ['another day', { startTime: later, endTime: new Date('2026-03-02T21:00:00Z') }],
    ['another table', { tableIds: ['t-2'] }],
    ['no request', { guestRequests: undefined }],
  ])('is refused for a reservation with %s, and a repeat is still answered', async (_, other) => {
    const device = await openDevice();
    const id = randomUUID();
    const first = await device.createReservation(id);
    const request = { serviceReservationId: id, details: { ...RESERVATION, ...other } };
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(REUSED);
    expect(await device.createReservation(id)).toEqual(first);
    expect(device.countCalls('CreateReservation')).toBe(1);
  });

  test('is refused while it is not known whether the first reservation exists', async () => {
    const device = await openDevice();
    const id = randomUUID();
    device.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    const request = { serviceReservationId: id, details: RESERVATION };
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(['DEADLINE_EXCEEDED', 'epos_unanswered']);
    const other = { ...request, details: { ...RESERVATION, covers: 4 } };
    expect(await device.refuse(rpcs.createReservation, other)).toEqual(REUSED);
    expect((await device.createReservation(id)).reservation?.details?.covers).toBe(2);
    expect(device.epos.data.bookings.listReservations()).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['another guest', { details: { ...PARTY, name: 'Other' } }],
    ['other covers', { details: { ...PARTY, covers: 9 } }],
    ['a reservation', { reservationId: 'reservation-1' }],
  ])('is refused for a party with %s, and a repeat is still answered', async (_, other) => {
    const device = await openDevice();
    const request = { servicePartyId: randomUUID(), details: PARTY, reservationId: undefined };
    const first = await device.call(rpcs.createParty, request);
    expect(await device.refuse(rpcs.createParty, { ...request, ...other })).toEqual(REUSED);
    expect(await device.call(rpcs.createParty, request)).toEqual(first);
    expect(device.countCalls('CreateParty')).toBe(1);
  });

  test('is free once the reservation is deleted', async () => {
    const device = await openDevice();
    const id = randomUUID();
    const { reservation } = await device.createReservation(id);
    await device.call(rpcs.deleteReservation, { reservationId: reservation?.reservationId ?? '' });
    const other = await device.createReservation(id, { ...RESERVATION, covers: 4 });
    expect(other.reservation?.details?.covers).toBe(4);
  });
});

test.each(selectRows(['dialled', 'stream', 'tables-ws', 'none'] as const))(
  'an EPOS over %s has no bookings',
  async (epos) => {
    const device = await openDevice({ epos });
    const search = { tableId: undefined, from: undefined, to: undefined, page: undefined };
    expect(await device.refuse(rpcs.listReservations, search)).toEqual(['UNIMPLEMENTED', 'epos_cannot_book']);
  },
);

test('what the EPOS refuses is refused with its reason, and a corrected repeat succeeds', async () => {
  const device = await openDevice();
  const request = { servicePartyId: randomUUID(), details: PARTY, reservationId: undefined };
  await device.call(rpcs.createParty, request);
  const second = { ...request, servicePartyId: randomUUID() };
  expect(await device.refuse(rpcs.createParty, second)).toEqual(['FAILED_PRECONDITION', 'booking_refused']);
  const elsewhere = { ...second, details: { ...PARTY, tableIds: ['t-U2'] } };
  expect((await device.call(rpcs.createParty, elsewhere)).party?.details?.tableIds).toEqual(['t-U2']);
});

test('an EPOS that is not connected has received nothing', async () => {
  const account = await environment.createAccount({ epos: 'ws', gateways: [] });
  const device = new StaffDevice(gateway.urls.grpc, account);
  const request = { serviceReservationId: randomUUID(), details: RESERVATION };
  expect(await device.refuse(rpcs.createReservation, request)).toEqual(['UNAVAILABLE', 'epos_unreachable']);
});

describe('the permissions', () => {
  test('to read names does not change bookings, and neither of them is in the role of devices', async () => {
    const device = await openDevice({ permissions: ROLES['read-only'] });
    const denied: [string, RefusalCode] = ['PERMISSION_DENIED', 'permission_missing'];
    const request = { serviceReservationId: randomUUID(), details: RESERVATION };
    expect(await device.refuse(rpcs.createReservation, request)).toEqual(denied);
    expect(await device.refuse(rpcs.deleteParty, { partyId: 'party-1' })).toEqual(denied);
    const search = { tableId: undefined, completedOnly: false, page: undefined };
    expect((await device.refuse(rpcs.listParties, search))[0]).toBe('OK');
    const ofMachine = await openDevice({ permissions: ROLES.gateway });
    expect(await ofMachine.refuse(rpcs.listParties, search)).toEqual(denied);
  });
});

test.each<[string, Partial<wire.ReservationDetails>]>([
  ['no name', { name: '' }],
  ['a card number as a name', { name: '4456530000091014' }],
  ['an end before its start', { endTime: new Date(0) }],
  ['no table', { tableIds: [] }],
  ['negative covers', { covers: -1 }],
  ['a long note', { hostNotes: 'x'.repeat(1_025) }],
])('a reservation with %s is refused before the EPOS is called', async (_, wrong) => {
  const device = await openDevice();
  const request = { serviceReservationId: randomUUID(), details: { ...RESERVATION, ...wrong } };
  expect((await device.refuse(rpcs.createReservation, request))[0]).toBe('INVALID_ARGUMENT');
  expect(device.countCalls('CreateReservation')).toBe(0);
});

test('a deposit that nobody paid is refused before the EPOS is called', async () => {
  const device = await openDevice();
  const deposit = wire.PartyDeposit.fromPartial({
    ...{ totalAmount: 2_000n, currency: 'GBP', paymentIntentIds: ['pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA'] },
  });
  const request = { servicePartyId: randomUUID(), details: { ...PARTY, deposit }, reservationId: undefined };
  expect(await device.refuse(rpcs.createParty, request)).toEqual(['NOT_FOUND', 'payment_intent_unknown']);
  expect(device.countCalls('CreateParty')).toBe(0);
});

/** Takes 20.00 at a card machine. Returns the payment intent. */
async function payByCard({ account }: StaffDevice): Promise<string> {
  const { methodDetails } = await environment.takeCardPayment(account, 'S-1', { baseAmount: 2_000n });
  const transactionId = methodDetails?.cardPresentPaymentInfo?.acquirerTransactionId ?? '';
  const { database } = environment.testDatabase;
  const intent = await database.read(account.scope, (reader) => findIntentByTransaction(reader, transactionId));
  return requireValue(intent, 'the payment').id;
}

test('a payment is the deposit of one party, and a repeated creation returns the party as it is now', async () => {
  const device = await openDevice({ hasMachines: true });
  const paymentIntentIds = [await payByCard(device)];
  const deposit = wire.PartyDeposit.fromPartial({ totalAmount: 2_000n, currency: 'GBP', paymentIntentIds });
  const request = { servicePartyId: randomUUID(), details: { ...PARTY, deposit }, reservationId: undefined };
  const { party } = await device.call(rpcs.createParty, request);
  const partyId = requireValue(party, 'the party').partyId;
  const second = { ...request, servicePartyId: randomUUID(), details: { ...request.details, tableIds: ['t-U2'] } };
  const refused = ['FAILED_PRECONDITION', 'payment_intent_is_deposit'];
  expect(await device.refuse(rpcs.createParty, second)).toEqual(refused);
  expect(device.countCalls('CreateParty')).toBe(1);
  await device.call(rpcs.updateParty, { partyId, details: { ...PARTY, status: 'Seated' }, endTime: undefined });
  expect(await device.refuse(rpcs.createParty, second)).toEqual(['OK', undefined]);
  const repeated = await device.call(rpcs.createParty, request);
  expect([repeated.party?.partyId, repeated.party?.details?.deposit]).toEqual([partyId, undefined]);
});

test('the areas of the restaurant are listed', async () => {
  const device = await openDevice();
  const { areas } = await device.call(rpcs.listAreas, {});
  expect(areas).toContainEqual({ areaId: 'terrace', name: 'Terrace', waiterIds: ['3'] });
});
