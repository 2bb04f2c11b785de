import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { CardPresentResult, FundingType, type Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { createDeclinedVerdict } from '@pos/sandbox/testing';
import { GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';
import { openMachines, ScriptedMachine } from '../testing/scripted-machine.js';

const TID = '90000001';
const AMOUNT = 1_000;

let environment: GatewayEnvironment;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
});
afterEach(async () => {
  for (const machineStream of openMachines.splice(0)) machineStream.cancelStream();
  await environment.stopGateways();
});
afterAll(() => environment.close());

/** A report of an approval that the machine can have read. */
function buildApprovedReport(acquirerReference: string): Report['event'] {
  const result = CardPresentResult.fromPartial({
    ...{ acquirerReference, transactionId: randomUUID(), transactionAt: new Date() },
    ...{ authCode: '111111', merchantId: 'm', amount: BigInt(AMOUNT), currency: 'GBP' },
    card: {
      ...{ scheme: Scheme.SCHEME_VISA, fundingType: FundingType.FUNDING_TYPE_DEBIT },
      ...{ expiryMonth: 12, expiryYear: 2032, maskedNumber: '445653******1014', last4Pan: '1014' },
    },
  });
  return { $case: 'approved', value: { result, signatureRequired: false } };
}

test.each([
  ['is not booked by default', {}, 'Declined'],
  ['counts where MACHINE_APPROVAL_CHECK_MS is 0', { MACHINE_APPROVAL_CHECK_MS: '0' }, 'Captured'],
])('an approval that the acquirer has declined %s', async (_, settings, status) => {
  const gateway = await environment.startGateway(settings);
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const machine = await new ScriptedMachine(gateway, account.apiKey).sendHello(TID).waitForWelcome();
  const { sessionId } = await environment.startSale(account, TID, AMOUNT);
  await waitUntil(() => machine.listMessages('start').length > 0);
  const { acquirerReference: reference } = machine.listMessages('start')[0]!.value;
  await environment.simulators.acquirer!.authorise({
    ...{ reference, merchantId: 'm', amount: gbp(AMOUNT), isPurchase: true },
    instrument: {
      ...{ kind: 'present', terminalId: TID, verdict: createDeclinedVerdict('Not today') },
      card: { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A GUEST' },
    },
  });
  machine.sendReport(sessionId, 1, buildApprovedReport(reference));
  await waitUntil(() => machine.listMessages('ack').length === 1 || machine.streamEnd !== null);
  expect(await environment.getSessionStatus(account, sessionId)).toBe(status);
});
