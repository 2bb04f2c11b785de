import { randomUUID } from 'node:crypto';
import type { RefusalCode } from '@pos/core/refusal';
import * as money from '@pos/rest-contracts/payment-money';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import type { ApiWorld } from '../testing.js';

/** Opened before each file's tests, and so not there yet when their tables are written. */
type World = () => ApiWorld;

/** A request that its operation accepts, and what about it can be made wrong. */
export interface Accepted {
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  /** A query or a body that the operation does not accept. */
  readonly wrong?: { readonly query?: string; readonly body?: unknown };
}

/** An operation, a refusal that it declares for itself, the members at fault, and a request that is refused so. */
export type Own = readonly [operation: string, code: RefusalCode, members: readonly string[], () => Promise<Accepted>];

export const at = (path: string, body?: unknown, key?: string): Promise<Accepted> =>
  Promise.resolve({ path, ...(body !== undefined && { body }), ...(key !== undefined && { key }) });
export const UNKNOWN_INTENT = `pi_sandbox_${'A'.repeat(22)}`;

/** A request of each operation that moves money, which it accepts. */
export function moneyRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    capturePaymentIntent: async () => ({
      path: `/payment-intents/${await world().intentIn('Authorized')}/captures`,
      body: { amount: 1000 },
      wrong: { body: { amount: 0 } },
    }),
    refundPaymentIntent: async () => ({
      path: `/payment-intents/${await world().intentIn('Captured')}/refunds`,
      body: { amount: 1000 },
      wrong: { body: { amount: '10.5' } },
    }),
    readRefund: async () => ({ path: `/payment-intents/refunds/${await refunded(world)}` }),
    reversePaymentIntent: async () => ({ path: `/payment-intents/${await world().intentIn('Captured')}/reversal` }),
  };
}

/** How each operation that moves money refuses by its own rules. */
// prettier-ignore
export function moneyRefusals(world: World): readonly Own[] {
  return [
  ...(['captures', 'refunds', 'reversal'] as const).flatMap((what): Own[] => {
    const id = { captures: 'capturePaymentIntent', refunds: 'refundPaymentIntent', reversal: 'reversePaymentIntent' }[what];
    const kind = ({ captures: 'Capture', refunds: 'Refund', reversal: 'Reverse' } as const)[what];
    const refused = ({ captures: 'capture_refused', refunds: 'refund_refused', reversal: 'reversal_refused' } as const)[what];
    const body = what === 'reversal' ? undefined : { amount: 1 };
    const begun = async () => `/payment-intents/${await world().intentIn(what === 'captures' ? 'Authorized' : 'Captured')}/${what}`;
    const foreign = () => at(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body, world().keys.foreign);
    return [
      [id, 'payment_intent_unknown', ['paymentIntentId'], () => at(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body)],
      [id, 'payment_intent_unknown', ['paymentIntentId'], () => at(`/payment-intents/table%204/${what}`, body)],
      [id, 'payment_intent_unknown', ['paymentIntentId'], foreign],
      [id, 'payment_intent_busy', [], async () => at(`/payment-intents/${await reversing(world, what)}/${what}`, body)],
      [id, 'acquirer_not_configured', [], () => at(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body, world().keys.production)],
      [id, 'acquirer_unanswered', [], async () => { rule(world, { match: { kind }, effect: 'down', times: 1 }); return at(await begun(), body); }],
      [id, refused, [], async () => {
        const path = await begun();
        if (what === 'reversal') await undoable(world, path);
        else rule(world, { match: { kind }, effect: 'decline', times: 1 });
        return at(path, body);
      }],
    ];
  }),
  ['capturePaymentIntent', 'not_capturable', [], async () => at(`/payment-intents/${await world().intentIn('Captured')}/captures`, { amount: 1 })],
  ['capturePaymentIntent', 'capture_exceeds_authorized', ['amount'], async () => at(`/payment-intents/${await world().intentIn('Authorized')}/captures`, { amount: 2000, tipsAmount: 1 })],
  ['refundPaymentIntent', 'payment_intent_canceled', [], async () => at(`/payment-intents/${await world().intentIn('Canceled')}/refunds`, { amount: 1 })],
  ['refundPaymentIntent', 'not_refundable', ['amount'], async () => at(`/payment-intents/${await world().intentIn('Created')}/refunds`, { amount: 1 })],
  ['refundPaymentIntent', 'refund_exceeds_captured', ['amount'], async () => at(`/payment-intents/${await world().intentIn('Captured')}/refunds`, { amount: 2001 })],
  ['readRefund', 'refund_not_found', [], () => at(`/payment-intents/refunds/rfnd_${'A'.repeat(22)}`)],
  ['readRefund', 'refund_not_found', [], () => at('/payment-intents/refunds/%00')],
  ['readRefund', 'refund_not_found', [], async () => at(`/payment-intents/refunds/${await refunded(world)}`, undefined, world().keys.foreign)],
  ['readRefund', 'validation_failed', ['refundId'], () => at(`/payment-intents/refunds/${'r'.repeat(51)}`)],
  ['reversePaymentIntent', 'not_reversible', [], async () => at(`/payment-intents/${await world().intentIn('Created')}/reversal`)],
  ['reversePaymentIntent', 'reversal_window_passed', [], async () => {
    const id = await world().intentIn('Captured');
    await world().look(`update payment_intents set captured_at = captured_at - interval '1 day' where id = $1 returning id`, [id]);
    return at(`/payment-intents/${id}/reversal`);
  }],
  ];
}

const refunded = async (world: World): Promise<string> => {
  const params = { paymentIntentId: await world().intentIn('Captured') };
  const idempotencyKey = randomUUID();
  return (await world().client()(money.refundPaymentIntent, { params, body: { amount: 1 }, idempotencyKey })).refundId;
};

const rule = (world: World, ...rules: AcquirerRule[]): void => world().acquirer.door.rules.replace(rules);

/** A payment whose reversal the acquirer does not answer. */
const reversing = async (world: World, what: 'captures' | 'refunds' | 'reversal'): Promise<string> => {
  const id = await world().intentIn(what === 'reversal' ? 'Captured' : 'Authorized');
  if (what === 'refunds') await world().send('POST', `/payment-intents/${id}/captures`, { body: { amount: 1 } });
  rule(world, { match: {}, effect: 'down' });
  const open = what === 'refunds' ? 'captures' : 'reversal';
  await world().send('POST', `/payment-intents/${id}/${open}`, { body: { amount: 1 } });
  rule(world);
  return id;
};

/** Has the acquirer refund a part behind our back, so that it cannot undo the whole. */
const undoable = async (world: World, path: string): Promise<void> => {
  const [, , id = ''] = path.split('/');
  const [row] = await world().look<{ reference: string }>('select reference from acquirer_calls where intent_id = $1', [
    id,
  ]);
  const originalReference = row?.reference ?? '';
  const amount = { value: 1, currencyCode: 'GBP' };
  await world().acquirer.door.follow('Refund', { reference: randomUUID(), originalReference, amount });
};
