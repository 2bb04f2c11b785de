import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { add, money } from '@pos/core/money';
import type { BillItem } from '@pos/core/tables';
import { JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import { listTerminals } from '@pos/payments/terminals';
import { isPayable } from '@pos/sandbox/restaurant';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { describeOutcome, TestDevice } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(120_000);

const MACHINE = '90000001';
/** Its odd member is the quantity of its first line. */
const PARTY = 'xxx';
const PART = 500n;
/** 575 g at 40.00 a kilogram. */
const ADDED = 2_300;

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '4000', LOG_LEVEL: 'fatal' });
});
afterAll(() => environment.close());

describe.each(['rest', 'ws', 'tables-ws', 'dialled', 'stream'] as const)('while a guest pays over %s', (epos) => {
  let account: GatewayAccount;
  let device: TestDevice;
  beforeAll(async () => {
    account = await environment.createAccount({ epos, hasMachines: true, amountTriggers: false });
    device = new TestDevice(gateway, account.apiKey);
    await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
    await waitUntil(async () => {
      const free = await environment.testDatabase.database.read(account.scope, (reader) =>
        listTerminals(reader, ['Available']),
      );
      return free.some(({ terminal }) => terminal.tid === MACHINE);
    });
  });
  afterAll(() => {
    device.close();
  });

  const isOrder = epos === 'rest' || epos === 'ws';
  const partyId = isOrder ? randomUUID() : PARTY;
  const getSimulator = () => requireValue(account.sandbox.epos, 'the EPOS');
  const getEpos = () => getSimulator().epos;
  const getBill = (id: string) =>
    requireValue(getEpos().restaurant.findSession(id)?.bill ?? null, 'the bill of the session');

  test('the waiter adds a weighed item: each payment is recorded once, and together they are the bill', async () => {
    const id = seatParty();
    const ordered = getBill(id).total.value;
    await device.listSessions();
    const { journey } = await device.startJourney(id);
    const { journeyId } = requireValue(journey, 'the journey');
    const first = randomUUID();
    await device.takeCustomPart(journeyId, PART, first);
    weigh(id);
    expect(listRecorded(id)).toEqual([]);
    await waitUntilRecorded(journeyId, first);
    expect(getBill(id)).toMatchObject({ total: { value: ordered + ADDED }, paid: { value: Number(PART) } });

    const rest = randomUUID();
    const mode = { $case: 'full', value: {} } as const;
    await waitUntil(
      async () => (await describeOutcome(device.takePayment(journeyId, mode, { paymentId: rest }))) === 'OK',
    );
    await waitUntilRecorded(journeyId, rest);
    expect(getBill(id).paid).toEqual(getBill(id).total);
    const recorded = listRecorded(id);
    expect(recorded).toEqual([Number(PART), ordered + ADDED - Number(PART)]);
    await waitUntil(async () => (await describeOutcome(device.finishJourney(journeyId))) === 'OK');
    expect(getEpos().locks.findLock(id)).toBeNull();
  });

  /** A party like an unpaid one, whose first line becomes a weighed one where the simulator writes odd members. */
  function seatParty(): string {
    const { restaurant } = getEpos();
    const like = restaurant.sessions().find((each) => isPayable(each) && each.bill?.paid.value === 0);
    const { bill, ...party } = requireValue(like ?? null, 'an unpaid session');
    const sessionBill = { ...requireValue(bill, 'its bill'), sessionId: partyId };
    return restaurant.addSession({ ...party, id: partyId, tableName: null, bill: sessionBill }).id;
  }

  function listRecorded(id: string): number[] {
    const ofTables = getEpos().listPayments();
    const ofOrders = getSimulator().data.orders.listPayments();
    return [
      ...ofTables.flatMap(({ sessionId, base }) => (sessionId === id ? [base.value] : [])),
      ...ofOrders.flatMap(({ orderId, paid }) => (orderId === id ? [paid.value] : [])),
    ];
  }

  /**
   * The till of a stranger lets the waiter add to a locked bill. JSON of orders has the weight itself, a message of the
   * pay-at-table contract its thousandths; a till that writes 0.575 there all the same is simulated by its odd members.
   */
  function weigh(id: string): void {
    const { restaurant } = getEpos();
    const session = requireValue(restaurant.findSession(id), 'the session');
    const bill = getBill(id);
    const added = money(ADDED, bill.total.currencyCode);
    const item: BillItem = {
      ...{ id: '99-turbot', name: 'Turbot, by weight', category: ['Food'], modifiers: [], lastOrderedAt: new Date() },
      ...(isOrder
        ? { quantity: 0.575, amountPerItem: money(4_000, bill.total.currencyCode) }
        : { quantity: 1, quantityThousandths: 575, amountPerItem: added }),
    };
    const items = [...bill.items, item];
    restaurant.addSession({ ...session, bill: { ...bill, items, total: add(bill.total, added) } });
    if (!isOrder) getSimulator().faults.replaceFaults([{ effect: 'odd-members' }]);
  }

  async function waitUntilRecorded(journeyId: string, paymentId: string): Promise<void> {
    const seen = new Set<JourneyPaymentState | undefined>();
    await waitUntil(async () => {
      const { journey } = await device.getJourney(journeyId);
      const state = journey?.payments.find((each) => each.paymentId === paymentId)?.state;
      seen.add(state);
      return state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
    });
    expect([...seen]).not.toContain(JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORD_UNKNOWN);
  }
});
