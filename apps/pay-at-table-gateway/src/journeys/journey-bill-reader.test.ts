import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { money } from '@pos/core/money';
import type { JourneyView } from '@pos/payments/tables';
import { recordOrderChange } from '@pos/payments/orders';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { insertOrderSessions } from '@pos/store/tables';
import { randomUUID } from 'node:crypto';
import type { TableServices } from '../testing/table-services.js';
import { TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(30_000);

let environment: TableTestEnvironment;
let gateway: TableServices;
let other: TableServices;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  gateway = await environment.startGateway();
  other = await environment.startGateway(undefined, { ownConnections: true });
});
afterAll(() => environment.close());
beforeEach(() => environment.eposSimulator.faults.replaceFaults([]));

const abortControllers: AbortController[] = [];
afterEach(() => {
  for (const each of abortControllers.splice(0)) each.abort();
});

/** The device's view of the journey, as it is shown at a gateway. */
function watchJourneyAt(services: TableServices, { journey }: JourneyView): () => JourneyView | undefined {
  const controller = new AbortController();
  abortControllers.push(controller);
  let last: JourneyView | undefined;
  void (async () => {
    for await (const view of services.watcher.watchJourney(environment.scope, journey.id, controller.signal))
      last = view;
  })();
  return () => last;
}

const getPaidAmount = (view: JourneyView | undefined) => view?.journey.bill.paid.value;
const recordChange = (orderId: string) =>
  environment.database.transact(environment.scope, (tx) => recordOrderChange(tx, orderId));
/** Somebody pays a pound at the EPOS itself. */
const payAtEpos = (diningSession: DiningSession) =>
  environment.eposSimulator.epos.restaurant.addPayment(diningSession, money(100, 'GBP'));
const countBillReads = ({ id }: DiningSession) =>
  environment.eposSimulator.listCalls().filter(({ method, sessionId }) => method === 'GetBillItems' && sessionId === id)
    .length;

describe('an order changes while a device shows its bill', () => {
  test('and every gateway shows the new one', async () => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    const getShownView = [watchJourneyAt(gateway, journeyView), watchJourneyAt(other, journeyView)];
    await waitUntil(() => getShownView.every((each) => getPaidAmount(each()) === 0));
    payAtEpos(diningSession);
    await recordChange(diningSession.id);
    await waitUntil(() => getShownView.every((each) => getPaidAmount(each()) === 100));
  });

  test('and it is the order behind the session that the EPOS names', async () => {
    const diningSession = environment.findUnpaidSession();
    const orderId = `order ${randomUUID()}`;
    await environment.database.transact(environment.scope, (tx) =>
      insertOrderSessions(tx, [{ sessionId: diningSession.id, orderId }]),
    );
    const journeyView = await environment.startJourney(gateway, diningSession);
    payAtEpos(diningSession);
    await recordChange(orderId);
    expect(getPaidAmount(await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id))).toBe(100);
  });

  test.each([
    ['the EPOS has said nothing', () => null],
    ['it speaks of another order', () => 'another order'],
    ['it speaks of no order at all', () => ''],
  ])('and nothing is read while %s', async (_, orderOf) => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    const before = countBillReads(diningSession);
    const orderId = orderOf();
    if (orderId !== null) await recordChange(orderId);
    payAtEpos(diningSession);
    expect(getPaidAmount(await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id))).toBe(0);
    expect(countBillReads(diningSession)).toBe(before);
  });

  test('and it is read once for each change', async () => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    const before = countBillReads(diningSession);
    for (let time = 0; time < 2; time += 1) {
      await recordChange(diningSession.id);
      await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id);
      await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id);
    }
    expect(countBillReads(diningSession)).toBe(before + 2);
  });

  test('and as long as the EPOS does not answer, the last bill is shown', async () => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    payAtEpos(diningSession);
    await recordChange(diningSession.id);
    environment.eposSimulator.faults.replaceFaults([{ method: 'GetBillItems', effect: 'drop-stream' }]);
    expect(getPaidAmount(await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id))).toBe(0);
    environment.eposSimulator.faults.replaceFaults([]);
    expect(getPaidAmount(await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id))).toBe(100);
  });

  test('and the part that is being paid keeps the bill from which it was computed', async () => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    const paymentId = randomUUID();
    await environment.takePayment(gateway, journeyView, { mode: 'CUSTOM', amount: money(300, 'GBP'), paymentId });
    await recordChange(diningSession.id);
    const before = countBillReads(diningSession);
    await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id);
    expect(countBillReads(diningSession)).toBe(before);
    await environment.approvePayment(await environment.getPayment(paymentId));
    await environment.waitForState(paymentId, 'Recorded');
    const total = requireValue(diningSession.bill, 'the bill').total.value;
    await waitUntil(
      async () =>
        getPaidAmount(await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id)) === 300,
    );
    expect(total).toBeGreaterThan(300);
  });
});
