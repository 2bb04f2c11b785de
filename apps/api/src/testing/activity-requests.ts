import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const buildPath = (intentId: string): string => `/payment-intents/${intentId}/activities`;

/** An accepted request for each operation on the activity log. */
export function createActivityRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    listPaymentActivities: async () => ({
      path: buildPath((await testEnvironment().createIntent()).id),
      invalid: { query: '?limit=0' },
    }),
    listRequests: () => Promise.resolve({ path: '/activities/requests', invalid: { query: '?status=1' } }),
    groupErrors: () => Promise.resolve({ path: '/activities/errors', invalid: { query: '?from=yesterday' } }),
  };
}

/** The refusals that the operations on the activity log declare for themselves. */
export function createActivityRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const unknown = (id: () => Promise<string> | string, key?: () => string): RefusalCase => [
    'listPaymentActivities',
    'payment_intent_not_found',
    [],
    async () => createRequest(buildPath(await id()), undefined, key?.()),
  ];
  const createIntent = async (): Promise<string> => (await testEnvironment().createIntent()).id;
  return [
    unknown(() => UNKNOWN_INTENT),
    unknown(() => '%00'),
    unknown(createIntent, () => testEnvironment().keys.foreign),
    unknown(createIntent, () => testEnvironment().keys.production),
  ];
}
