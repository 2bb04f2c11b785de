import type { Caller } from '@pos/core/accounts';
import { computeSubtotal, computeTotalAmount, type ItemLine } from '@pos/core/payment-intents';
import { formatTimespan } from '@pos/core/time';
import type { IntentView } from '@pos/payments/payment-intents';
import { present, presentMoment, presentMomentOrNone } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/payment-intents';
import { presentConfig, presentCustomer, presentEvent, presentPaymentDetails } from '@pos/rest-contracts/intent-parts';
import { presentPastSession } from '../terminals/terminal-session-presenter.js';

/** Shows payment intents to their integrators as the contract says; what is not listed here does not go out. */
export class IntentPresenter {
  constructor(private readonly checkoutBaseUrl: string) {}

  /** The intent as its integrator sees it. */
  present(view: IntentView): rest.PaymentIntent {
    const { intent, events, sessions } = view;
    const { details, paymentDetails } = intent;
    return {
      ...presentShared(view),
      cardHolderNotPresent: intent.cardHolderNotPresent,
      ...present({ cashbackAmount: intent.cashbackAmount, serviceChargeAmount: intent.serviceChargeAmount }),
      ...present({ subtotalLineItems: computeSubtotal(details, intent.amount.currencyCode) }),
      ...present({ customer: presentCustomer(details.customer) }),
      ...present({ actionLink: details.actionLink, orderDetails: details.orderDetails }),
      ...present({ requestSecurity: details.requestSecurity, autoExpireAction: intent.autoExpireAction }),
      ...(intent.autoExpireInMs !== null && { autoExpireIn: formatTimespan(intent.autoExpireInMs) }),
      expireAt: presentMoment(intent.expireAt),
      metadata: { ...intent.metadata },
      ...present({ setupIntentId: intent.setupIntentId }),
      ...(details.hasPaymentLink && { paymentLink: `${this.checkoutBaseUrl}/checkout/${intent.id}` }),
      ...(paymentDetails !== null && { paymentDetails: presentPaymentDetails(paymentDetails) }),
      paymentEvents: events.map(presentEvent),
      terminalSessionHistory: sessions.map((session) => presentPastSession(session)),
      captures: intent.captures.map(({ id, amount, tipsAmount, status, createdAt }) => ({
        ...{ id, status, createdAt: presentMoment(createdAt) },
        amount: amount.value,
        tipsAmount: tipsAmount.value,
      })),
    };
  }

  /**
   * The intent as this reader may see it. With the client secret anybody may pay or end the payment, so who only reads
   * payments does not get it.
   */
  presentTo({ permissions }: Pick<Caller, 'permissions'>, view: IntentView): rest.PaymentIntent {
    const maySeeSecret = permissions.has('payments.write') || permissions.has('payments.online');
    return this.present(maySeeSecret ? view : { ...view, intent: { ...view.intent, clientSecret: null } });
  }
}

/** What integrators and payers see. */
export function presentShared({
  intent,
  account,
}: IntentView): Omit<rest.PublicPaymentIntent, 'customer' | 'paymentEvents' | 'metadata'> {
  const { details } = intent;
  const { cardSchemes, wallets } = account.settings.supportedPaymentMethods;
  return {
    id: intent.id,
    status: intent.status,
    captureMode: intent.captureMode,
    amount: intent.amount,
    totalAmount: computeTotalAmount(intent),
    ...present({ tipsAmount: intent.tipsAmount, requestedAmount: intent.requestedAmount }),
    refundedAmount: intent.refunded.value,
    paymentMethods: [...intent.paymentMethods],
    reference: intent.reference,
    ...present({ description: intent.description, clientSessionSecret: intent.clientSecret }),
    clientSessionSecretExpirationDate: presentMomentOrNone(intent.clientSecretExpireAt),
    ...present({ billingAddress: details.billingAddress, shippingDetails: details.shippingDetails }),
    itemLines: details.itemLines.map(presentItemLine),
    taxLines: [...details.taxLines],
    config: presentConfig(intent, account),
    merchantConfig: { supportedPaymentMethods: { cardSchemes: [...cardSchemes], wallets: [...wallets] } },
    paymentSource: intent.paymentSource,
    createdAt: presentMoment(intent.createdAt),
    updatedAt: presentMoment(intent.updatedAt),
  };
}

function presentItemLine({ caption, modifiers, ...line }: ItemLine) {
  return { ...line, ...present({ caption, name: caption }), modifiers: [...modifiers] };
}
