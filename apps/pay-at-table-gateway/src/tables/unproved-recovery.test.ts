import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Payment } from '@pos/grpc-contracts/tables';
import { buildCardDetails, buildDevicePayment, buildMachineRequestor } from '../testing/gateway-world.js';
import { createDeviceCall } from '../testing/recorded-history.js';
import { TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

const MACHINE = '90000001';
const requestorInfo = buildMachineRequestor(MACHINE);
const requestor = { type: 'cardMachine', terminalId: MACHINE, waiterId: 0 } as const;

let environment: TableTestEnvironment;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
});
afterAll(() => environment.close());

/** Changes the transaction that an intent carries, as if the report of its machine had not arrived, or arrives. */
async function renameTransaction(from: string, to: string): Promise<void> {
  await environment.database.dataSource.query(
    `update payment_intents set payment_details = jsonb_set(payment_details, '{transactionId}', to_jsonb($2::text))
     where payment_details ->> 'transactionId' = $1`,
    [from, to],
  );
}

const isStored = async ({ id }: Payment): Promise<boolean> => {
  const rows: unknown[] = await environment.database.dataSource.query('select 1 from table_payments where id = $1', [
    id,
  ]);
  return rows.length === 1;
};

test.each([
  ['proved', true],
  ['unproved', false],
] as const)(
  'a runner that is killed before it looks for a card transaction is followed by another one: the payment is %s',
  async (_, isFound) => {
    const killed = await environment.startGateway((at) => {
      if (at === 'after-commit-before-proof') throw new Error('killed');
    });
    const { id: sessionId } = environment.findUnpaidSession();
    const transactionId = await environment.takeOwnCard(MACHINE, 100);
    const payment = buildDevicePayment(sessionId, buildCardDetails(transactionId, MACHINE));
    const call = await createDeviceCall(environment.scope);
    await killed.deviceLocks.lockSession({ requestor, call, sessionId });
    await renameTransaction(transactionId, `late-${transactionId}`);
    const recorded = killed.deviceRecords
      .recordPayment({ payment, requestorInfo }, { requestor, call })
      .catch(() => null);
    await waitUntil(() => isStored(payment));
    await killed.stop();
    if (isFound) await renameTransaction(`late-${transactionId}`, transactionId);
    const successor = await environment.startGateway();
    await recorded;
    await waitUntil(async () => {
      const { state, nextStep } = await environment.getPayment(payment.id);
      return isFound ? state === 'Recorded' : state === 'Unproved' && nextStep === null;
    });
    expect(environment.listRecordedAmounts(payment.id)).toEqual(isFound ? [100] : []);
    await successor.stop();
  },
);
