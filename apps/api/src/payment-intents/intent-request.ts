import { createViolation, Defect, type Readable } from '@pos/core/refusals';
import { isId } from '@pos/core/identity';
import { computeSubtotal, findLinesOfOtherCurrency, type NewPaymentIntent } from '@pos/core/payment-intents';
import type { PaymentIntentRequest } from '@pos/payments/payment-intents';
import type { BodyOf } from '@pos/rest-contracts/operation';
import { type createPaymentIntent, readSavedCard, readSharedParts } from '@pos/rest-contracts/payment-intents';

type CreateIntentBody = BodyOf<typeof createPaymentIntent>;

/**
 * The creation request in the words of the use case; what was not sent is null. A user of the portal creates links, or
 * enters the card for a payer who is not there.
 */
export function readIntentRequest(
  body: CreateIntentBody,
  { isByPortal }: { readonly isByPortal: boolean },
): PaymentIntentRequest {
  requireCountableLines(body);
  return {
    amount: body.amount,
    tipsAmount: body.tipsAmount ?? null,
    cashbackAmount: body.cashbackAmount ?? null,
    serviceChargeAmount: body.serviceChargeAmount ?? null,
    captureMode: body.captureMode,
    reference: body.reference,
    description: body.description ?? null,
    cardHolderNotPresent: body.cardHolderNotPresent,
    paymentMethods: [...new Set(body.paymentMethods)],
    paymentSource: isByPortal ? (body.cardHolderNotPresent ? 'virtual-terminal' : 'payment-links') : 'api',
    setupIntentId: body.setupIntentId === undefined ? null : parseSetupIntentId(body.setupIntentId),
    autoExpireAction: body.autoExpireAction ?? null,
    autoExpireInMs: body.autoExpireIn ?? null,
    expireAt: body.expireAt ?? null,
    metadata: body.metadata,
    isNotOnlineCheckout: body.isNotOnlineCheckout,
    generateRemoteToken: body.generateRemoteToken ?? null,
    savedCard: readSavedCard(body),
    details: {
      ...readSharedParts(body),
      itemLines: body.itemLines,
      taxLines: body.taxLines,
      ...(body.actionLink !== undefined && { actionLink: body.actionLink }),
    },
  };
}

/** The members of a refused request that are also checked against the account, the time and other members. */
export function readPartialIntentRequest(body: Readable<CreateIntentBody>): Readable<NewPaymentIntent> {
  const { amount, tipsAmount, cashbackAmount, serviceChargeAmount, captureMode, autoExpireIn, setupIntentId } = body;
  const { expireAt, reference, metadata, itemLines, taxLines } = body;
  return {
    ...{ reference, amount, tipsAmount, cashbackAmount, serviceChargeAmount, captureMode, expireAt, metadata },
    autoExpireInMs: autoExpireIn,
    setupIntentId: setupIntentId !== undefined && isId('setupIntent', setupIntentId) ? setupIntentId : undefined,
    details: { itemLines, taxLines },
  };
}

/** The sum of the lines is only ever shown, and so is made only when it is too late to refuse: hence it is tried here. */
function requireCountableLines(body: CreateIntentBody): void {
  const { currencyCode } = body.amount;
  // Lines of another currency have no sum at all; the use case names each of them.
  if (findLinesOfOtherCurrency(body, currencyCode).length > 0) return;
  try {
    computeSubtotal(body, currencyCode);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    throw createViolation('validation_failed', 'itemLines', 'Come to more than can be counted.');
  }
}

function parseSetupIntentId(text: string) {
  if (!isId('setupIntent', text)) {
    throw createViolation('validation_failed', 'setupIntentId', 'Is not an authorised setup intent.');
  }
  return text;
}
