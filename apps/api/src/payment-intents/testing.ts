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
    changeAmount: async () => ({
      path: `/payment-intents/${await flexible(world)}/amount`,
      body: { amount: GBP_25 },
      wrong: { body: { amount: { value: 0, currencyCode: 'GBP' } } },
    }),
    changeTips: async () => ({
      path: `/payment-intents/${await flexible(world)}/tips-amount`,
      body: { tipsAmount: GBP_25 },
      wrong: { body: { tipsAmount: 1 } },
    }),
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
  ...amountRefusals(world),
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

/** How a change of price or tip is refused. */
// prettier-ignore
function amountRefusals(world: World): readonly Own[] {
  return [
  ...(['amount', 'tips-amount'] as const).flatMap((what): Own[] => {
    const id = what === 'amount' ? 'changeAmount' : 'changeTips';
    const body = what === 'amount' ? { amount: GBP_25 } : { tipsAmount: GBP_25 };
    const off = what === 'amount' ? 'amount_change_not_enabled' : 'tips_change_not_enabled';
    const no = what === 'amount' ? 'amount_not_changeable' : 'tips_not_changeable';
    const foreign = async () => at(`/payment-intents/${await flexible(world)}/${what}`, body, world().keys.foreign);
    return [
      [id, 'payment_intent_not_found', [], () => at(`/payment-intents/${UNKNOWN_INTENT}/${what}`, body)],
      [id, 'payment_intent_not_found', [], foreign],
      [id, 'payment_intent_busy', [], async () => {
        const intent = await flexible(world);
        await world().sale(intent);
        return at(`/payment-intents/${intent}/${what}`, body);
      }],
      [id, off, [], async () => at(`/payment-intents/${await world().intentIn('Created')}/${what}`, body)],
      [id, no, [], async () => at(`/payment-intents/${await world().intentIn('Captured')}/${what}`, body)],
      [id, no, [], async () => at(`/payment-intents/${await world().intentIn('Canceled')}/${what}`, body)],
    ];
  }),
  ['changeTips', 'tips_not_changeable', [], async () => at(`/payment-intents/${await flexibleHold(world)}/tips-amount`, { tipsAmount: GBP_25 })],
  ['changeTips', 'validation_failed', ['tipsAmount.currencyCode'], async () => at(`/payment-intents/${await flexible(world)}/tips-amount`, { tipsAmount: { value: 1, currencyCode: 'EUR' } })],
  ['changeAmount', 'validation_failed', ['amount.currencyCode'], async () => at(`/payment-intents/${await flexible(world)}/amount`, { amount: { value: 1, currencyCode: 'EUR' } })],
  ['changeAmount', 'amount_not_raised', [], async () => at(`/payment-intents/${await flexibleHold(world)}/amount`, { amount: { value: 1999, currencyCode: 'GBP' } })],
  ['changeAmount', 'acquirer_not_configured', [], async () => {
    const key = world().keys.production;
    const { id } = await world().intent(FLEXIBLE, key);
    await world().look(`update payment_intents set status = 'Authorized' where id = $1 returning id`, [id]);
    return at(`/payment-intents/${id}/amount`, { amount: GBP_25 }, key);
  }],
  ['changeAmount', 'acquirer_unanswered', [], async () => {
    rule(world, { match: { kind: 'Increase' }, effect: 'down', times: 1 });
    return at(`/payment-intents/${await flexibleHold(world)}/amount`, { amount: GBP_25 });
  }],
  ['changeAmount', 'amount_raise_refused', [], async () => {
    rule(world, { match: { kind: 'Increase' }, effect: 'decline', times: 1 });
    return at(`/payment-intents/${await flexibleHold(world)}/amount`, { amount: GBP_25 });
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

const GBP_25 = { value: 2500, currencyCode: 'GBP' };
const FLEXIBLE = { config: { payment: { customAmountAllowed: true, tipsAllowed: true } } };

/** A payment whose price and tip may be changed, that nobody has paid. */
const flexible = async (world: World): Promise<string> => (await world().intent(FLEXIBLE)).id;

/** The same, held. */
export const flexibleHold = async (world: World): Promise<string> => {
  const { id } = await world().intent({ ...FLEXIBLE, captureMode: 'Manual' });
  await world().approve((await world().sale(id)).id);
  return id;
};
