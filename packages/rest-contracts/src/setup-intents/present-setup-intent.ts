import type { Account } from '@pos/core/accounts';
import type { NewSetupEvent, SetupIntent, SetupOutcome } from '@pos/core/setup-intents';
import { presentMoment, presentMomentOrNone } from '../shapes/moment.js';
import { present } from '../shapes/present.js';
import {
  presentAttempt,
  presentCard,
  presentConfig,
  presentCustomer,
  presentEvent,
  presentPayer,
} from '../intent-parts/present-intent-parts.js';
import type * as rest from './setup-intents.js';

/** A setup intent with the data that its views need. */
interface PresentableSetup {
  readonly setup: SetupIntent;
  readonly account: Account;
  readonly events: readonly NewSetupEvent[];
}

/** The view of a setup intent for its integrator. Members that are not listed here are not sent. */
export function presentSetup(view: PresentableSetup): rest.SetupIntent {
  const { setup, events } = view;
  const { details, paymentDetails } = setup;
  return {
    ...presentSharedMembers(view),
    ...present({ customer: presentCustomer(details.customer), requestSecurity: details.requestSecurity }),
    metadata: { ...setup.metadata },
    ...(paymentDetails !== null && { paymentDetails: presentOutcome(paymentDetails) }),
    setupEvents: events.map(presentEvent),
  };
}

/** The same for a payer, with the attempt that they have proved to be theirs. */
interface PresentablePublicSetup extends PresentableSetup {
  readonly provenAttempt: { readonly transactionId: string | null; readonly isApproved: boolean } | null;
}

/**
 * The view of a setup intent for a payer. Everybody with the link reads it, so what a payer has entered, and the outcome
 * of their attempt, are for the page that has made the attempt.
 */
export function presentPublicSetup(view: PresentablePublicSetup): rest.PublicSetupIntent {
  const { setup, provenAttempt } = view;
  const { details, paymentDetails } = setup;
  const { billingAddress, shippingDetails, ...shared } = presentSharedMembers(view);
  const isPayerShown = setup.status === 'Created' || provenAttempt?.isApproved === true;
  const isOwnOutcome = paymentDetails !== null && paymentDetails.transactionId === provenAttempt?.transactionId;
  return {
    ...shared,
    ...(isPayerShown && present({ customer: presentPayer(details.customer), billingAddress, shippingDetails })),
    metadata: { 'location-id': view.account.locationId },
    ...(isOwnOutcome && {
      paymentDetails: {
        transactionId: paymentDetails.transactionId,
        transactionDateTime: paymentDetails.transactionDateTime,
        message: paymentDetails.message,
      },
    }),
  };
}

/** The members of both views. */
function presentSharedMembers({ setup, account }: PresentableSetup) {
  const { details } = setup;
  const { cardSchemes } = account.settings.supportedPaymentMethods;
  return {
    id: setup.id,
    status: setup.status,
    merchantInitiatedTransactionType: setup.merchantInitiatedTransactionType,
    terms: setup.terms,
    ...present({ intendedAmount: setup.intendedAmount }),
    paymentMethods: [...setup.paymentMethods],
    reference: setup.reference,
    ...present({ description: setup.description, clientSessionSecret: setup.clientSecret }),
    clientSessionSecretExpirationDate: presentMomentOrNone(setup.clientSecretExpireAt),
    ...present({ billingAddress: details.billingAddress, shippingDetails: details.shippingDetails }),
    ...present({ orderDetails: details.orderDetails }),
    config: presentConfig(setup, account),
    // Without wallets: a wallet's token is for one payment, and there is no payment yet.
    merchantConfig: { supportedPaymentMethods: { cardSchemes: [...cardSchemes], wallets: [] } },
    paymentSource: setup.paymentSource,
    expireAt: presentMoment(setup.expireAt),
    createdAt: presentMoment(setup.createdAt),
    updatedAt: presentMoment(setup.updatedAt),
  };
}

function presentOutcome({ card, ...details }: SetupOutcome) {
  return { ...presentAttempt(details), ...(card !== null && { card: presentCard(card) }) };
}
