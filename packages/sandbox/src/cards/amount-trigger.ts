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
