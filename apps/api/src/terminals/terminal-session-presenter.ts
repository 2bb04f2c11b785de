import type { NotificationType, SessionStatus, TerminalSession } from '@pos/core/terminals';
import type { TerminalSessionView } from '@pos/payments/payment-intents';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/terminal-sessions';

/** A terminal session in the answer to its integrator. */
export function presentSession({ session, events }: TerminalSessionView): rest.TerminalSession {
  const { customerReceipt, merchantReceipt, paymentDetails } = session;
  return {
    ...presentState({ session, events }),
    sessionType: session.sessionType,
    ...present({ paymentIntentId: session.paymentIntentId }),
    ...(paymentDetails !== null && {
      paymentDetails: {
        cardScheme: paymentDetails.cardScheme,
        maskedPan: paymentDetails.maskedPan,
        ...(paymentDetails.authCode !== '' && { authCode: paymentDetails.authCode }),
      },
    }),
    ...(customerReceipt !== null && {
      customerReceipt: presentReceipt(customerReceipt),
      receipt: presentReceipt(customerReceipt),
    }),
    ...(merchantReceipt !== null && { merchantReceipt: presentReceipt(merchantReceipt) }),
  };
}

/** A terminal session in the history of its payment intent, with the card details of its approval. */
export function presentPastSession(view: TerminalSessionView) {
  const { approval } = view.session;
  return {
    terminalSession: presentState(view),
    ...(approval !== null && {
      payment: {
        transactionDateTime: approval.transactionDateTime,
        cardNumber: approval.card.cardNumber,
        cardType: approval.card.cardType,
        authGatewayTransactionId: approval.transactionId,
        entryMode: approval.card.entryMode,
        verificationMode: approval.card.verificationMethod,
        ...present({ expiryDate: approval.card.expiryDate, cardHolderName: approval.card.cardName }),
      },
    }),
  };
}

function presentState({ session, events }: TerminalSessionView) {
  return {
    id: session.id,
    terminalId: session.terminalId,
    status: session.status,
    createdAt: presentMoment(session.createdAt),
    updatedAt: presentMoment(session.updatedAt),
    expireAt: presentMoment(session.expireAt),
    notificationEvents: events
      .filter(({ kind }) => kind === 'notification')
      .map(({ name, createdAt }) => ({
        notificationType: name as NotificationType,
        createdAt: presentMoment(createdAt),
      })),
    statusEvents: events
      .filter(({ kind }) => kind === 'status')
      .map(({ name, createdAt }) => ({
        status: name as SessionStatus,
        createdAt: presentMoment(createdAt),
        debugMessage: '',
      })),
    details: presentDetails(session),
  };
}

function presentDetails({ sessionType, paymentIntentId, total, cardHolderNotPresent }: TerminalSession) {
  switch (sessionType) {
    case 'Sale':
      return { sessionType, sale: { paymentIntentId: paymentIntentId ?? '' } };
    case 'MatchedRefund':
      return { sessionType, matchedRefund: { paymentIntentId: paymentIntentId ?? '', amount: total } };
    case 'UnlinkedRefund':
      return { sessionType, unlinkedRefund: { amount: total, cardholderNotPresent: cardHolderNotPresent } };
  }
}

function presentReceipt({ lines }: NonNullable<TerminalSession['customerReceipt']>) {
  return { lines: [...lines] };
}
