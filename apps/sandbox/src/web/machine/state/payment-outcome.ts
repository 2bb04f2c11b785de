import { formatLastDigits } from '@pos/web-ui/format';
import type { MachineScreenView } from '@pos/rest-contracts/sandbox';

type Payment = NonNullable<MachineScreenView['payment']>;
type LastOutcome = NonNullable<MachineScreenView['lastOutcome']>;

/** How a payment ended, as the machine displays it. */
export interface PaymentOutcome {
  readonly titleKey:
    | 'recordedTitle'
    | 'approvedTitle'
    | 'declined'
    | 'canceled'
    | 'unable'
    | 'stopped'
    | 'signatureRejected'
    | 'refused'
    | 'ended'
    | 'givenBack'
    | 'needsOperator';
  readonly isPaid: boolean;
  readonly amount: number;
  readonly gratuity: number;
  readonly currency: string;
  /** What is left of the bill; null: there is no bill. */
  readonly outstanding: number | null;
  readonly cardText: string | null;
  readonly authCode: string | null;
  readonly detail: string;
}

/** States of a payment of a table that do not change any more. */
const FINAL_STATES: ReadonlySet<Payment['state']> = new Set([
  'recorded',
  'givenBack',
  'ended',
  'refused',
  'needsOperator',
]);

export function isOver({ state }: Payment): boolean {
  return FINAL_STATES.has(state);
}

/** The ids of what the machine shows as ended. The person dismisses them with the screen. */
export function listEnded({ payment, lastOutcome }: MachineScreenView): string[] {
  return [
    ...(payment !== undefined && isOver(payment) ? [payment.paymentId] : []),
    ...(lastOutcome === undefined ? [] : [lastOutcome.sessionId]),
  ];
}

/** The outcome to display; null when the person has dismissed it, or nothing has ended. */
export function findOutcome(view: MachineScreenView, dismissed: ReadonlySet<string>): PaymentOutcome | null {
  const { payment, lastOutcome } = view;
  if (payment !== undefined && isOver(payment) && !dismissed.has(payment.paymentId)) {
    return createPaymentOutcome(payment, lastOutcome);
  }
  if (payment !== undefined && !isOver(payment)) return null;
  if (lastOutcome === undefined || dismissed.has(lastOutcome.sessionId)) return null;
  return createSessionOutcome(lastOutcome);
}

function createPaymentOutcome(payment: Payment, lastOutcome: LastOutcome | undefined): PaymentOutcome {
  const isPaid = payment.state === 'recorded';
  const { baseAmount, gratuityAmount, currency, outstanding = null } = payment;
  return {
    ...{ titleKey: findTitle(payment, lastOutcome), isPaid, currency, outstanding },
    ...{ amount: baseAmount + gratuityAmount, gratuity: gratuityAmount },
    cardText: isPaid ? formatCard(lastOutcome) : null,
    authCode: isPaid ? (lastOutcome?.authCode ?? null) : null,
    detail: isPaid || payment.state === 'ended' ? '' : payment.detail,
  };
}

function findTitle({ state }: Payment, lastOutcome: LastOutcome | undefined): PaymentOutcome['titleKey'] {
  if (state === 'recorded') return 'recordedTitle';
  if (state === 'givenBack' || state === 'needsOperator' || state === 'refused') return state;
  return lastOutcome === undefined || lastOutcome.outcome === 'approved' ? 'ended' : lastOutcome.outcome;
}

function createSessionOutcome(session: LastOutcome): PaymentOutcome {
  const { outcome, total, authCode } = session;
  return {
    ...{ titleKey: outcome === 'approved' ? 'approvedTitle' : outcome, isPaid: outcome === 'approved' },
    ...{ amount: total.value, currency: total.currencyCode, gratuity: 0, outstanding: null, detail: '' },
    cardText: formatCard(session),
    authCode: authCode ?? null,
  };
}

/** Formats the last digits of the card, by which its owner recognises it; null without a card. */
function formatCard(session: LastOutcome | undefined): string | null {
  return session?.maskedNumber === undefined ? null : formatLastDigits(session.maskedNumber);
}
