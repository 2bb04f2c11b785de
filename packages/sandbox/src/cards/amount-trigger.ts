/** What the last two digits of a total cause. */
export type AmountTrigger =
  | 'Declined'
  | 'Referred'
  | 'Failed'
  | 'DeclinedAfterCardError'
  | 'Challenged'
  | 'SignatureRequired'
  | 'CardTroubles'
  | 'ApprovedLate'
  | 'CanceledAtMachine'
  | 'SecondAttemptApproved';

/** The result of each trigger, as the page of test amounts names it. */
export const AMOUNT_RESULTS: Readonly<Record<AmountTrigger, string>> = {
  Declined: 'declined',
  Referred: 'referred to the card issuer',
  Failed: 'failed with a processing error',
  DeclinedAfterCardError: 'the machine shows a card error, then the payment is declined',
  Challenged: 'requires a challenge',
  SignatureRequired: 'approved, with a signature to verify',
  CardTroubles: 'several notifications about the card, then approved by PIN',
  ApprovedLate: 'no answer in time; approved later',
  CanceledAtMachine: 'cancelled at the machine',
  SecondAttemptApproved: 'declined at the first attempt, approved at the second',
};

const TRIGGERS_BY_ENDING: Readonly<
  Record<number, { readonly online: AmountTrigger | null; readonly machine: AmountTrigger }>
> = {
  91: { online: 'Declined', machine: 'Declined' },
  92: { online: 'Referred', machine: 'Declined' },
  93: { online: 'Failed', machine: 'DeclinedAfterCardError' },
  94: { online: 'Challenged', machine: 'SignatureRequired' },
  95: { online: null, machine: 'CardTroubles' },
  96: { online: 'ApprovedLate', machine: 'ApprovedLate' },
  97: { online: null, machine: 'CanceledAtMachine' },
  98: { online: 'SecondAttemptApproved', machine: 'SecondAttemptApproved' },
};

/** What this total triggers online or on a card machine. Null for a plain amount. */
export function findAmountTrigger(totalMinorUnits: number, channel: 'online' | 'machine'): AmountTrigger | null {
  return TRIGGERS_BY_ENDING[totalMinorUnits % 100]?.[channel] ?? null;
}
