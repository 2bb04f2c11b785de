import type { ItemLine, IntentDetails } from '@pos/core/intent-details';
import { sum, times } from '@pos/core/money';
import type { NewPaymentEvent, PaymentDetails } from '@pos/core/payment-event';
import { type PaymentIntent, totalAmount } from '@pos/core/payment-intent';
import { formatTimespan } from '@pos/core/timespan';
import type { IntentView } from '@pos/payments/payment-intents';
import type * as rest from '@pos/rest-contracts/payment-intents';
import { noTime, present, text } from '../present.js';
import { presentPastSession } from '../terminals/present-terminal-session.js';

/** Shows payment intents as the contract says; what is not listed here does not go out. */
export class IntentPresenter {
  constructor(private readonly checkoutBaseUrl: string) {}

  /** The intent as its integrator sees it. */
  present(view: IntentView): rest.PaymentIntent {
    const { intent, account, events, sessions } = view;
    const { details, paymentDetails } = intent;
    const subtotal = subtotalOf(details, intent.amount.currencyCode);
    return {
      ...shared(view),
      cardHolderNotPresent: intent.cardHolderNotPresent,
      ...present({ cashbackAmount: intent.cashbackAmount, serviceChargeAmount: intent.serviceChargeAmount }),
      ...present({ subtotalLineItems: subtotal }),
      ...present({ customer: details.customer && customerOf(details.customer) }),
      ...present({ actionLink: details.actionLink, orderDetails: details.orderDetails }),
      ...present({ requestSecurity: details.requestSecurity, autoExpireAction: intent.autoExpireAction }),
      ...(intent.autoExpireInMs !== null && { autoExpireIn: formatTimespan(intent.autoExpireInMs) }),
      expireAt: text(intent.expireAt),
      metadata: { ...intent.metadata },
      ...present({ setupIntentId: intent.setupIntentId }),
      ...(details.hasPaymentLink && { paymentLink: `${this.checkoutBaseUrl}/checkout/${intent.id}` }),
      ...(paymentDetails !== null && { paymentDetails: presentPaymentDetails(paymentDetails) }),
      paymentEvents: events.map(presentEvent),
      terminalSessionHistory: sessions.map((session) => presentPastSession(session, account)),
      captures: details.captures.map(({ id, amount, tipsAmount, status, createdAt }) => ({
        ...{ id, status, createdAt },
        amount: amount.value,
        tipsAmount: tipsAmount.value,
      })),
    };
  }

  /** The intent as its payer may see it. */
  presentPublic(view: IntentView): rest.PublicPaymentIntent {
    const { intent, account, events } = view;
    const { customer } = intent.details;
    return {
      ...shared(view),
      ...(customer !== undefined && {
        customer: present({
          customerId: customer.customerId,
          id: customer.customerId,
          emailAddress: customer.emailAddress,
        }),
      }),
      paymentEvents: events.map((event) => {
        const { eventType, transactionId, transactionDateTime } = presentEvent(event);
        return { eventType, transactionDateTime, ...present({ transactionId }) };
      }),
      metadata: { 'location-id': account.locationId },
    };
  }
}

/** What both views show. */
function shared({ intent, account }: IntentView) {
  const { details } = intent;
  const { cardSchemes, wallets } = account.settings.supportedPaymentMethods;
  const { logoUrl, faviconUrl } = account.settings.branding;
  return {
    id: intent.id,
    status: intent.status,
    captureMode: intent.captureMode,
    amount: intent.amount,
    totalAmount: totalAmount(intent),
    ...present({ tipsAmount: intent.tipsAmount, requestedAmount: intent.requestedAmount }),
    refundedAmount: intent.refunded.value,
    paymentMethods: [...intent.paymentMethods],
    reference: intent.reference,
    ...present({ description: intent.description, clientSessionSecret: intent.clientSecret }),
    clientSessionSecretExpirationDate:
      intent.clientSecretExpireAt === null ? noTime : text(intent.clientSecretExpireAt),
    ...present({ billingAddress: details.billingAddress, shippingDetails: details.shippingDetails }),
    itemLines: details.itemLines.map(presentItemLine),
    taxLines: [...details.taxLines],
    config: {
      ...details.config,
      branding: present({ logoUrl, faviconUrl }),
      tradingName: account.tradingName,
    },
    merchantConfig: { supportedPaymentMethods: { cardSchemes: [...cardSchemes], wallets: [...wallets] } },
    paymentSource: intent.paymentSource,
    createdAt: text(intent.createdAt),
    updatedAt: text(intent.updatedAt),
  };
}

function presentItemLine({ caption, modifiers, ...line }: ItemLine) {
  return { ...line, ...present({ caption, name: caption }), modifiers: [...modifiers] };
}

function customerOf({ customerId, emailAddress, phoneNumber }: NonNullable<IntentDetails['customer']>) {
  return present({ customerId, id: customerId, emailAddress, phoneNumber });
}

function presentPaymentDetails(details: PaymentDetails) {
  const { transactionId, transactionDateTime, message, authCode, paymentMethodId, avsResult, card } = details;
  const { cardName, expiryDate, ...shown } = card;
  return {
    ...{ transactionId, transactionDateTime, message, authCode },
    ...present({ paymentMethodId, avsResult }),
    card: { ...shown, ...present({ cardName, expiryDate }) },
  };
}

function presentEvent({ eventType, occurredAt, details }: NewPaymentEvent) {
  const { transactionId, authCode, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId } = details;
  return {
    eventType,
    transactionDateTime: text(occurredAt),
    authCode,
    ...present({ transactionId, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId }),
  };
}

/** Lines, modifiers (line quantity x modifier quantity x price) and taxes; only where there are lines. */
function subtotalOf({ itemLines, taxLines }: IntentDetails, currencyCode: PaymentIntent['amount']['currencyCode']) {
  if (itemLines.length === 0) return null;
  const modifiers = itemLines.flatMap((line) =>
    line.modifiers.map(({ amountPerModifier, quantity }) => times(amountPerModifier, line.quantity * quantity)),
  );
  const lines = [...itemLines, ...taxLines].map(({ amountTotal }) => amountTotal);
  return sum([...lines, ...modifiers], currencyCode);
}
