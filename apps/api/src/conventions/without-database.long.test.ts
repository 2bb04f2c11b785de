import { describe, expect, test } from '@jest/globals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { CuttableProxy } from '@pos/testing';
import { NEW_INTENT_BODY } from '../testing/accepted-requests.js';
import { ApiTestEnvironment, createKeyText, parseProblem } from '../testing/api-test-environment.js';
import { createCustomer, createSecret } from '../testing/customer-requests.js';
import { UNKNOWN_INTENT } from '../testing/money-requests.js';
import { PAYER_BODIES } from '../testing/payer-requests.js';

describe('without its database', () => {
  test('every operation answers 503 with retry-after, and succeeds again afterwards', async () => {
    const line = await CuttableProxy.open();
    const cut = await ApiTestEnvironment.open({}, (url) => line.connectTo(url));
    try {
      const create = () => cut.sendRequest('POST', '/payment-intents', { body: NEW_INTENT_BODY });
      expect((await create()).status).toBe(200);
      const customerSecret = await createSecret(cut, await createCustomer(cut));
      line.cutConnections();
      // The key is still cached, so this request gets as far as its transaction.
      const started = await create();
      expect([started.status, started.headers['retry-after']]).toEqual([503, '1']);
      for (const { id, method, path, customerSecret: secretHeader } of API_OPERATIONS) {
        const key = secretHeader === undefined ? createKeyText('sandbox') : customerSecret;
        // A payer has no key, so the body is read before the database.
        const body = PAYER_BODIES[id];
        const to = path.replaceAll(/\{\w+\}/g, UNKNOWN_INTENT);
        const answer = await cut.sendRequest(method, to, { key, ...(body !== undefined && { body }) });
        expect([id, answer.status, answer.headers['retry-after']]).toEqual([id, 503, '1']);
        expect([id, await cut.findRefusal(answer)]).toEqual([id, 'service_unavailable']);
      }
      expect((await cut.sendRequest('GET', '/health/live')).status).toBe(200);
      expect(parseProblem(await cut.sendRequest('GET', '/health/ready'))).toMatchObject({
        status: 503,
        detail: 'Not ready: database.',
      });
      line.restoreConnections();
      expect((await create()).status).toBe(200);
      expect((await cut.sendRequest('GET', '/health/ready')).status).toBe(200);
    } finally {
      await cut.close();
      await line.close();
    }
  });
});
