import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, startWhileDatabaseIsLost, type TestDatabase } from '@pos/store/testing';
import { getInternalTls } from '@pos/service-kit/testing';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

test.each([8, 16, 20, 26])(
  'a gateway that loses its database after the %dth part of its first statements waits for it, and starts',
  async (partsMax) => {
    const { stderr, code, wasLost } = await startWhileDatabaseIsLost(testDatabase, {
      partsMax,
      settings: {
        ACQUIRER_ADDRESS: '127.0.0.1:1',
        ALLOW_PLAINTEXT_EPOS: 'true',
        ...{ HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_GRPC_PORT: '0', ...getInternalTls('pay-at-table-gateway') },
      },
    });
    expect({ stderr, code, wasLost }).toEqual({ stderr: '', code: 0, wasLost: true });
  },
);
