/** An answer of the simulated service: its status and body; null: no answer. */
export type SimulatedAnswer = readonly [status: number, body: unknown] | null;

/** One request that the client sent. */
export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const INTENT_ID = 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw';
export const SERVICE = { apiUrl: 'https://api.example/', cardVaultUrl: 'https://vault.example' };
const REFRESH = `POST /payment-intents/public/${INTENT_ID}/refresh-client-session-secret`;
const READ = `GET /payment-intents/public/${INTENT_ID}`;
export const PATHS = {
  ...{ read: READ, refresh: REFRESH, open: 'POST /client/card-fields', challenge: 'POST /client/payments/challenge' },
  wallet: 'POST /client/payments/wallet',
  savedCards: 'GET /customers/public/cust_1/payment-methods',
};

/** The payment as payers may read it. */
export function createIntent(change: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const no = { collectionRequired: false };
  return {
    ...{ id: INTENT_ID, status: 'Created', totalAmount: { value: 1250, currencyCode: 'GBP' }, itemLines: [] },
    ...{ clientSessionSecret: 'secret of the payment', paymentMethods: ['Card', 'SavedCard'] },
    customer: { customerId: 'cust_1' },
    config: { customerEmail: no, billingAddress: no, shippingDetails: no, tradingName: 'The Oyster Shed' },
    merchantConfig: { supportedPaymentMethods: { cardSchemes: ['VISA'], wallets: [] } },
    ...change,
  };
}

const CARDS = ['2032-12-31', '2020-01-31'].map((expiryDate, index) => ({
  id: `pm_${index}`,
  cardDetails: { pan: '44565300****1014', expiryDate, scheme: 'VISA' },
}));

/** What the service answers unless a test says otherwise. */
function createAnswers(): Record<string, SimulatedAnswer | readonly SimulatedAnswer[]> {
  return {
    [PATHS.read]: [200, createIntent()],
    [PATHS.refresh]: [200, createIntent({ clientSessionSecret: 'fresh secret' })],
    [PATHS.open]: [200, { cardFields: '/fields', securityCode: '/code' }],
    [PATHS.savedCards]: [200, { savedPaymentMethods: CARDS }],
    [PATHS.wallet]: [200, { statusCode: 0, message: 'DEPOSITED', authCode: '1', transactionId: 't' }],
    [PATHS.challenge]: [200, { statusCode: 0, message: 'DEPOSITED', authCode: '1', transactionId: 't' }],
  };
}

/** A service in memory: the answers by method and path. A list answers in its order, and then its last for ever. */
export function createSimulatedService(changes: Record<string, SimulatedAnswer | readonly SimulatedAnswer[]> = {}) {
  const answers = { ...createAnswers(), ...changes };
  const sent: SentRequest[] = [];
  const counts = new Map<string, number>();
  const send = (address: unknown, init: RequestInit = {}): Promise<Response> => {
    const path = `${String(init.method)} ${String(address).replace(/^https:\/\/[^/]+/, '')}`;
    const headers = { ...(init.headers as Readonly<Record<string, string>>) };
    sent.push({ path, headers, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const known = answers[path] ?? null;
    const answer = isList(known) ? (known[Math.min(count, known.length - 1)] ?? null) : known;
    if (answer === null) return Promise.reject(new TypeError('fetch failed'));
    const [status, body] = answer;
    return Promise.resolve({ status, json: () => Promise.resolve(body) } as unknown as Response);
  };
  return { fetch: send as typeof fetch, sent, listPaths: () => sent.map(({ path }) => path) };
}

function isList(known: SimulatedAnswer | readonly SimulatedAnswer[]): known is readonly SimulatedAnswer[] {
  return Array.isArray(known) && (known.length === 0 || known[0] === null || Array.isArray(known[0]));
}
