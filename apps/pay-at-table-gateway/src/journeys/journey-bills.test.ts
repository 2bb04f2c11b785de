import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { money } from '@pos/core/money';
import type { JourneyView } from '@pos/payments/journeys';
import { recordOrderChange } from '@pos/payments/order-changes';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { insertOrderSessions } from '@pos/store/orders';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { TableStage, until } from './testing.js';

jest.setTimeout(30_000);

let stage: TableStage;
let gateway: Tables;
let other: Tables;
beforeAll(async () => {
  stage = await TableStage.open();
  gateway = await stage.gateway();
  other = await stage.gateway();
});
afterAll(() => stage.close());
beforeEach(() => stage.door.faults.replace([]));

const watching: AbortController[] = [];
afterEach(() => {
  for (const each of watching.splice(0)) each.abort();
});

/** The device's view of the journey, as it is shown at a gateway. */
function shownAt(at: Tables, { journey }: JourneyView): () => JourneyView | undefined {
  const controller = new AbortController();
  watching.push(controller);
  let last: JourneyView | undefined;
  void (async () => {
    for await (const view of at.watch.of(stage.scope, journey.id, controller.signal)) last = view;
  })();
  return () => last;
}

const paidOf = (view: JourneyView | undefined) => view?.journey.bill.paid.value;
const tells = (orderId: string) => stage.database.transact(stage.scope, (tx) => recordOrderChange(tx, orderId));
/** Somebody pays a pound at the till. */
const paysAtTheTill = (party: DiningSession) => stage.door.epos.restaurant.pay(party, money(100, 'GBP'));
const readsOf = ({ id }: DiningSession) =>
  stage.door.calls().filter(({ method, sessionId }) => method === 'GetBillItems' && sessionId === id).length;

describe('an order changes while a device shows its bill', () => {
  test('and every gateway shows the new one', async () => {
    const party = stage.party();
    const begun = await stage.begin(gateway, party);
    const shown = [shownAt(gateway, begun), shownAt(other, begun)];
    await until(() => shown.every((each) => paidOf(each()) === 0));
    paysAtTheTill(party);
    await tells(party.id);
    await until(() => shown.every((each) => paidOf(each()) === 100));
  });

  test('and it is the order behind the session that the EPOS names', async () => {
    const party = stage.party();
    const orderId = `order ${randomUUID()}`;
    await stage.database.transact(stage.scope, (tx) => insertOrderSessions(tx, [{ sessionId: party.id, orderId }]));
    const begun = await stage.begin(gateway, party);
    paysAtTheTill(party);
    await tells(orderId);
    expect(paidOf(await gateway.desk.get(stage.scope, begun.journey.id))).toBe(100);
  });

  test.each([
    ['the EPOS has said nothing', () => null],
    ['it speaks of another order', () => 'another order'],
    ['it speaks of no order at all', () => ''],
  ])('and nothing is read while %s', async (_, orderOf) => {
    const party = stage.party();
    const begun = await stage.begin(gateway, party);
    const before = readsOf(party);
    const orderId = orderOf();
    if (orderId !== null) await tells(orderId);
    paysAtTheTill(party);
    expect(paidOf(await gateway.desk.get(stage.scope, begun.journey.id))).toBe(0);
    expect(readsOf(party)).toBe(before);
  });

  test('and it is read once for each change', async () => {
    const party = stage.party();
    const begun = await stage.begin(gateway, party);
    const before = readsOf(party);
    for (let time = 0; time < 2; time += 1) {
      await tells(party.id);
      await gateway.desk.get(stage.scope, begun.journey.id);
      await gateway.desk.get(stage.scope, begun.journey.id);
    }
    expect(readsOf(party)).toBe(before + 2);
  });

  test('and as long as the EPOS does not answer, the last bill is shown', async () => {
    const party = stage.party();
    const begun = await stage.begin(gateway, party);
    paysAtTheTill(party);
    await tells(party.id);
    stage.door.faults.replace([{ method: 'GetBillItems', effect: 'drop-stream' }]);
    expect(paidOf(await gateway.desk.get(stage.scope, begun.journey.id))).toBe(0);
    stage.door.faults.replace([]);
    expect(paidOf(await gateway.desk.get(stage.scope, begun.journey.id))).toBe(100);
  });

  test('and the part that is being paid keeps the bill that it was reckoned from', async () => {
    const party = stage.party();
    const begun = await stage.begin(gateway, party);
    const paymentId = randomUUID();
    await stage.take(gateway, begun, { mode: 'CUSTOM', amount: money(300, 'GBP'), paymentId });
    await tells(party.id);
    const before = readsOf(party);
    await gateway.desk.get(stage.scope, begun.journey.id);
    expect(readsOf(party)).toBe(before);
    await stage.approve(await stage.paymentOf(paymentId));
    await stage.arrives(paymentId, 'Recorded');
    const total = required(party.bill, 'the bill').total.value;
    await until(async () => paidOf(await gateway.desk.get(stage.scope, begun.journey.id)) === 300);
    expect(total).toBeGreaterThan(300);
  });
});
