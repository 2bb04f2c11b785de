import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  createIntent,
  createSimulatedService,
  INTENT_ID,
  PATHS,
  SERVICE,
  type SimulatedAnswer,
} from '../testing/simulated-service.js';
import { type FlowPlatform, PaymentFlow, type SubmitFields } from './payment-flow.js';
import { readOutcome } from './payment-result.js';
import { PaymentService } from './payment-service.js';

type Answers = Parameters<typeof createSimulatedService>[0];

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A flow against a simulated service, with the states that it had. */
function createFlow(answers: Answers = {}, { customerSecret, showChallenge }: FlowChange = {}) {
  const service = createSimulatedService(answers);
  const { fetch } = service;
  const flow = new PaymentFlow(
    new PaymentService({ ...SERVICE, fetch }),
    { paymentIntentId: INTENT_ID, customerSecret },
    { showChallenge: showChallenge ?? (() => Promise.resolve('Y')) },
  );
  const states: string[] = [];
  flow.subscribe((state) => states.push(state.kind === 'ready' && state.notice !== null ? state.notice : state.kind));
  return { flow, states, service };
}

interface FlowChange {
  readonly customerSecret?: string;
  readonly showChallenge?: FlowPlatform['showChallenge'];
}

/** Card fields with this answer of the vault. */
const submitWith =
  (result: Readonly<Record<string, unknown>>, fields: readonly string[] = []): SubmitFields =>
  () =>
    Promise.resolve(readOutcome({ message: '', authCode: '', transactionId: 't', ...result }, fields)!);

const CHALLENGE = { statusCode: 3, stepUpUrl: 'https://issuer.example/', paReq: 'p', md: 'm' };

describe('a payment is opened', () => {
  test('with its own secret, which opening does not use up', async () => {
    const { flow, service } = createFlow();
    expect(flow.resultCode).toBe(99);
    await flow.open();
    expect(flow.state).toMatchObject({
      kind: 'ready',
      offer: { fields: { cardFields: 'https://vault.example/fields', securityCode: 'https://vault.example/code' } },
    });
    expect([flow.resultCode, service.listPaths()]).toEqual([99, [PATHS.read, PATHS.open]]);
    expect(service.sent[1]?.headers['client-session-secret']).toBe('secret of the payment');
  });

  test('with a new secret, when the last one was used', async () => {
    const { flow, service } = createFlow({ [PATHS.read]: [200, createIntent({ clientSessionSecret: undefined })] });
    await flow.open();
    expect(service.listPaths()).toEqual([PATHS.read, PATHS.refresh, PATHS.open]);
    expect(service.sent[2]?.headers['client-session-secret']).toBe('fresh secret');
  });

  test('with the cards of the customer whose secret is sent, without those that have expired', async () => {
    const { flow, service } = createFlow({}, { customerSecret: 'cs_1' });
    await flow.open();
    expect(flow.state).toMatchObject({ offer: { savedCards: [{ id: 'pm_0' }], canSaveCard: true } });
    expect(service.sent[1]?.headers['authorization']).toBe('Basic cs_1');
  });

  test.each<[string, number, string, Answers, FlowChange]>([
    ['unknown, cancelled or expired', 400, 'gone', { [PATHS.read]: [404, { detail: 'gone' }] }, {}],
    ['paid', 20, 'Captured', { [PATHS.read]: [200, createIntent({ status: 'Captured' })] }, {}],
    ['reversed', 20, 'Reversed', { [PATHS.read]: [200, createIntent({ status: 'Reversed' })] }, {}],
    ['of a page whose origin is not registered', 7770, 'origin', { [PATHS.open]: [403, { detail: 'origin' }] }, {}],
    ['with a secret that was used meanwhile', 401, 'used', { [PATHS.open]: [401, { detail: 'used' }] }, {}],
    [
      'with a wrong customer secret',
      401,
      'old',
      { [PATHS.savedCards]: [401, { detail: 'old' }] },
      { customerSecret: 'cs_2' },
    ],
    [
      'of no customer, with a customer secret',
      401,
      'no customer',
      { [PATHS.read]: [200, createIntent({ customer: undefined })] },
      { customerSecret: 'cs_1' },
    ],
    [
      'that takes wallets only',
      400,
      'no method',
      { [PATHS.read]: [200, createIntent({ paymentMethods: ['Wallet'] })] },
      {},
    ],
    ['that needs shipping details', 400, 'shipping', { [PATHS.read]: [200, withShipping()] }, {}],
    [
      'whose attempt runs in another window',
      20,
      'busy',
      {
        [PATHS.read]: [200, createIntent({ clientSessionSecret: undefined })],
        [PATHS.refresh]: [409, { detail: 'busy' }],
      },
      {},
    ],
    ['that the service answers in another form', 7770, '', { [PATHS.read]: [200, { status: 'Created' }] }, {}],
  ])('one that is %s ends with %i', async (_, code, detail, answers, change) => {
    const { flow } = createFlow(answers, change);
    await flow.open();
    expect(await flow.result).toBe(code);
    expect([flow.resultCode, flow.state]).toEqual([
      code,
      { kind: 'ended', code, detail: expect.stringContaining(detail) },
    ]);
  });

  test.each<[string, SimulatedAnswer]>([
    ['no answer', null],
    ['an error of the service', [503, {}]],
    ['too many requests', [429, {}]],
  ])('%s can be tried again', async (_, answer) => {
    const { flow, states } = createFlow({
      [PATHS.open]: [answer, [200, { cardFields: '/fields', securityCode: '/code' }]],
    });
    await flow.open();
    expect([flow.state.kind, flow.resultCode]).toEqual(['unreachable', 99]);
    await flow.open();
    expect(states).toEqual(['opening', 'unreachable', 'opening', 'ready']);
  });
});

function withShipping() {
  const intent = createIntent();
  return { ...intent, config: { ...(intent['config'] as object), shippingDetails: { collectionRequired: true } } };
}

describe('an attempt', () => {
  test('has its own secret, and the secret of the customer', async () => {
    const { flow } = createFlow({}, { customerSecret: 'cs_1' });
    await flow.open();
    let used: unknown;
    await flow.pay((secrets) => {
      used = secrets;
      return submitWith({ statusCode: 0 })(secrets);
    });
    expect([used, await flow.result]).toEqual([{ secret: 'fresh secret', customerSecret: 'cs_1' }, 0]);
  });

  test.each([
    [4, 'referred'],
    [5, 'declined'],
    [30, 'failed'],
    [400, 'exhausted'],
    [429, 'exhausted'],
  ])('with result %i may be followed by another, which pays', async (statusCode, notice) => {
    const { flow, states } = createFlow();
    await flow.open();
    await flow.pay(submitWith({ statusCode }));
    expect([flow.state.kind, flow.resultCode]).toEqual(['ready', 99]);
    await flow.pay(submitWith({ statusCode: 0 }));
    expect(states).toEqual(['opening', 'ready', 'submitting', notice, 'submitting', 'ended']);
    expect(await flow.result).toBe(0);
  });

  test.each([
    [['emailAddress'], 'checkFields'],
    [['paymentMethodId'], 'cardGone'],
  ])('whose fields %j are refused can be corrected', async (fields, notice) => {
    const { flow } = createFlow();
    await flow.open();
    await flow.pay(submitWith({ statusCode: 400 }, fields));
    expect(flow.state).toMatchObject({ kind: 'ready', notice });
  });

  test('with a customer secret that has expired meanwhile ends with 401', async () => {
    const { flow } = createFlow({}, { customerSecret: 'cs_1' });
    await flow.open();
    await flow.pay(submitWith({ statusCode: 401 }));
    expect(await flow.result).toBe(401);
  });

  test('for an amount that the payer has not seen is not submitted', async () => {
    const totalAmount = { value: 9000, currencyCode: 'GBP' };
    const { flow } = createFlow({ [PATHS.refresh]: [200, createIntent({ totalAmount })] });
    await flow.open();
    const submit = jest.fn<SubmitFields>();
    await flow.pay(submit);
    expect(submit).not.toHaveBeenCalled();
    expect(flow.state).toMatchObject({ kind: 'ready', notice: 'amountChanged', offer: { intent: { totalAmount } } });
  });

  test.each<[string, string, SimulatedAnswer]>([
    ['cannot reach the service', 'unreachable', null],
    ['belongs to a disabled merchant', 'closed', [403, { reason: 'account_disabled' }]],
  ])('that %s is not submitted', async (_, notice, answer) => {
    const { flow } = createFlow({ [PATHS.refresh]: answer });
    await flow.open();
    const submit = jest.fn<SubmitFields>();
    await flow.pay(submit);
    expect([submit.mock.calls, flow.state]).toMatchObject([[], { kind: 'ready', notice }]);
  });

  test('of a payment that was cancelled meanwhile ends with 400', async () => {
    const { flow } = createFlow({ [PATHS.refresh]: [404, { detail: 'gone' }] });
    await flow.open();
    await flow.pay(submitWith({ statusCode: 0 }));
    expect(await flow.result).toBe(400);
  });

  test('runs once, also when the button is pressed twice', async () => {
    const { flow } = createFlow();
    await flow.open();
    const submit = jest.fn<SubmitFields>(submitWith({ statusCode: 0 }));
    await Promise.all([flow.pay(submit), flow.pay(submit)]);
    await flow.pay(submit);
    expect(submit).toHaveBeenCalledTimes(1);
  });

  test('whose fields throw ends with 7770', async () => {
    const { flow } = createFlow();
    await flow.open();
    await flow.pay(() => Promise.reject(new Error('the web view crashed')));
    expect([await flow.result, flow.state]).toEqual([
      7770,
      { kind: 'ended', code: 7770, detail: 'the web view crashed' },
    ]);
  });
});

describe('the challenge of the issuer', () => {
  test('is displayed with result 3, and its answer completes the same attempt', async () => {
    const codes: number[] = [];
    const { flow, service } = createFlow(
      {},
      {
        showChallenge: (challenge) => {
          codes.push(flow.resultCode);
          expect(challenge).toEqual({ stepUpUrl: 'https://issuer.example/', paReq: 'p', md: 'm' });
          return Promise.resolve('answer of the issuer');
        },
      },
    );
    await flow.open();
    await flow.pay(submitWith(CHALLENGE));
    expect([codes, await flow.result]).toEqual([[3], 0]);
    expect(service.sent.at(-1)).toMatchObject({
      headers: { 'client-session-secret': 'fresh secret' },
      body: { paRes: 'answer of the issuer', transactionId: 't' },
    });
  });

  test.each([
    ['failed', 'N', 'challengeFailed', 'N'],
    ['closed by the payer', null, 'challengeClosed', 'closed-by-payer'],
  ])('that was %s leaves the payment open', async (_, paRes, notice, sent) => {
    const { flow, service } = createFlow(
      { [PATHS.challenge]: [200, { statusCode: 5 }] },
      { showChallenge: () => Promise.resolve(paRes) },
    );
    await flow.open();
    await flow.pay(submitWith(CHALLENGE));
    expect([flow.state, service.sent.at(-1)?.body]).toMatchObject([{ kind: 'ready', notice }, { paRes: sent }]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '', undefined, 7])(
    'at the address %j is not displayed',
    async (stepUpUrl) => {
      const showChallenge = jest.fn<FlowPlatform['showChallenge']>();
      const { flow } = createFlow({}, { showChallenge });
      await flow.open();
      await flow.pay(submitWith({ ...CHALLENGE, stepUpUrl }));
      expect(showChallenge).not.toHaveBeenCalled();
      expect(flow.state).toMatchObject({ kind: 'ready', notice: 'notPaid' });
    },
  );
});

describe('an unknown outcome', () => {
  const RUNNING: SimulatedAnswer = [409, {}];

  test.each([
    ['0', 'Captured', 0],
    ['0 for a hold', 'Authorized', 0],
    ['20 for a reversed payment', 'Reversed', 20],
  ])('is read from the payment until it is known: %s', async (_, status, code) => {
    const open = [200, createIntent()] as const;
    const paid = [200, createIntent({ status })] as const;
    const { flow, states } = createFlow({
      [PATHS.read]: [open, open, paid],
      [PATHS.refresh]: [[200, createIntent()], RUNNING],
    });
    await flow.open();
    const paying = flow.pay(submitWith({ statusCode: 500 }));
    await jest.advanceTimersByTimeAsync(3_000);
    await paying;
    expect([states.slice(2), await flow.result]).toEqual([['submitting', 'checking', 'ended'], code]);
  });

  test.each([20, 500, 404, 12_345, 99])(
    'of result %i lets the payer try again if nothing was paid',
    async (statusCode) => {
      const { flow } = createFlow();
      await flow.open();
      await flow.pay(submitWith({ statusCode }));
      expect(flow.state).toMatchObject({ kind: 'ready', notice: 'notPaid' });
    },
  );

  test('has the code 500 when the payer closes the flow before', async () => {
    const { flow } = createFlow({ [PATHS.refresh]: [[200, createIntent()], RUNNING] });
    await flow.open();
    const paying = flow.pay(submitWith({ statusCode: 500 }));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([flow.state.kind, flow.close()]).toEqual(['checking', true]);
    await jest.advanceTimersByTimeAsync(3_000);
    await paying;
    expect(await flow.result).toBe(500);
  });
});

describe('a payer who closes the flow', () => {
  test('before an attempt ends it with 7780', async () => {
    const { flow } = createFlow();
    const opening = flow.open();
    expect(flow.close()).toBe(true);
    await opening;
    expect([await flow.result, flow.state.kind]).toEqual([7780, 'ended']);
  });

  test('after a decline ends it with 7780', async () => {
    const { flow } = createFlow();
    await flow.open();
    await flow.pay(submitWith({ statusCode: 5 }));
    flow.close();
    expect(await flow.result).toBe(7780);
  });

  test('during an attempt does not end it', async () => {
    const { flow } = createFlow();
    await flow.open();
    await flow.pay((secrets) => {
      expect([flow.close(), flow.resultCode]).toEqual([false, 500]);
      return submitWith({ statusCode: 0 })(secrets);
    });
    expect([flow.close(), await flow.result, flow.resultCode]).toEqual([true, 0, 0]);
  });
});
