import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { JourneyPaymentState, JourneyState } from '@pos/grpc-contracts/gateway';
import { listTerminals } from '@pos/payments/terminals';
import { isPayable } from '@pos/sandbox/restaurant';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { describeOutcome, TestDevice } from '../testing/payment-device.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

// Tills that others wrote: every element of every answer has one odd member (ADR 0123).

jest.setTimeout(120_000);

const MACHINE = '90000001';
const TRANSPORTS = ['rest', 'ws', 'tables-ws', 'dialled', 'stream'] as const;
/** Bills that are locked; of these the first are paid in full. */
const LOCKED_MAX = 8;
const PAID_MAX = 2;

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '4000', LOG_LEVEL: 'fatal' });
});
afterAll(() => environment.close());

describe.each(TRANSPORTS)('a till with odd members over %s', (epos) => {
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
    getSimulator().faults.replaceFaults([{ effect: 'odd-members' }]);
  });
  afterAll(() => {
    device.close();
  });

  const getSimulator = () => requireValue(account.sandbox.epos, 'the EPOS');
  const getSession = (id: string) => requireValue(getSimulator().epos.restaurant.findSession(id), 'the session');

  test('every bill that can be paid is listed', async () => {
    const { sessions } = await device.listSessions();
    const payable = getSimulator()
      .epos.listSessions({ isFinished: null, hasTable: null, isPayable: true, tableNames: [] })
      .filter(isPayable);
    expect(sessions.map(({ id }) => id).sort()).toEqual(payable.map(({ id }) => id).sort());
    expect(sessions.length).toBeGreaterThan(PAID_MAX);
    expect(sessions).not.toContainEqual(expect.objectContaining({ createdAt: undefined }));
  });

  test('bills are locked, paid, recorded and unlocked', async () => {
    const { sessions } = await device.listSessions();
    const toPay = sessions.filter(({ id }) => (getSession(id).bill?.total.value ?? 0) > 0).slice(0, LOCKED_MAX);
    for (const [place, { id }] of toPay.entries()) {
      const { journey } = await device.startJourney(id);
      const { journeyId, outstanding } = requireValue(journey, 'the journey');
      const bill = requireValue(getSession(id).bill, 'the bill');
      expect(outstanding).toBe(BigInt(bill.total.value - bill.paid.value));
      expect(getSimulator().epos.locks.findLock(id)).not.toBeNull();
      if (place < PAID_MAX) await payInFull(journeyId);
      const finished = await waitUntilFinished(journeyId);
      expect(finished).toBe(JourneyState.JOURNEY_STATE_FINISHED);
      expect(getSimulator().epos.locks.findLock(id)).toBeNull();
      if (place < PAID_MAX) expect(getSession(id).bill?.paid).toEqual(bill.total);
    }
  });

  async function payInFull(journeyId: string): Promise<void> {
    const paymentId = randomUUID();
    const mode = { $case: 'full', value: {} } as const;
    await waitUntil(async () => (await describeOutcome(device.takePayment(journeyId, mode, { paymentId }))) === 'OK');
    await waitUntil(async () => {
      const { journey } = await device.getJourney(journeyId);
      const payment = journey?.payments.find((each) => each.paymentId === paymentId);
      return payment?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
    });
  }

  async function waitUntilFinished(journeyId: string): Promise<JourneyState | undefined> {
    let state: JourneyState | undefined;
    await waitUntil(async () => {
      if ((await describeOutcome(device.finishJourney(journeyId))) !== 'OK') return false;
      state = (await device.getJourney(journeyId)).journey?.state;
      return true;
    });
    return state;
  }
});
