import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { credentials } from '@grpc/grpc-js';
import { requireValue } from '@pos/core/refusals';
import { DeviceClient } from '@pos/sandbox/testing';
import { isPayable } from '@pos/sandbox/restaurant';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(120_000);

const MACHINE = '90000001';
/** An id that no device could name in its next call. */
const UNREADABLE_ID = 'x'.repeat(2_000);

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '4000', LOG_LEVEL: 'fatal' });
});
afterAll(() => environment.close());

describe.each(['rest', 'ws', 'tables-ws', 'dialled', 'stream'] as const)('a till over %s', (epos) => {
  let account: GatewayAccount;
  let device: DeviceClient;
  beforeAll(async () => {
    account = await environment.createAccount({ epos });
    device = new DeviceClient({
      ...{ address: gateway.urls.grpc, apiKey: account.apiKey, tid: MACHINE },
      transport: { createCredentials: () => credentials.createInsecure(), readSocketOptions: () => ({}) },
    });
    await waitUntil(() =>
      device.listPayableSessions().then(
        ({ sessions }) => sessions.length > 0,
        () => false,
      ),
    );
  });
  afterAll(() => {
    device.close();
  });

  const getRestaurant = () => requireValue(account.sandbox.epos, 'the EPOS').epos.restaurant;

  test('the screen of a machine counts the bills that cannot be shown, and has the others with what is left', async () => {
    const payable = getRestaurant().sessions().filter(isPayable);
    expect(await device.listPayableSessions()).toMatchObject({ unreadableCount: 0 });
    const [first] = payable;
    const { bill, covers } = requireValue(first ?? null, 'a session');
    for (const hidden of [1, 2]) {
      getRestaurant().addSession({
        ...{ id: `${hidden}${UNREADABLE_ID}`, name: `Odd ${hidden}`, tableName: null, waiter: null, covers, bill },
      });
      const { sessions, unreadableCount } = await device.listPayableSessions();
      expect(unreadableCount).toBe(hidden);
      expect(sessions.map(({ id }) => id).sort()).toEqual(payable.map(({ id }) => id).sort());
    }
    for (const { id, bill: atTheTill } of payable.slice(0, 3)) {
      const { totalAmount, paidAmount } = await device.readBill(id);
      const { total, paid } = requireValue(atTheTill, 'its bill');
      expect([totalAmount, paidAmount]).toEqual([BigInt(total.value), BigInt(paid.value)]);
    }
  });
});
