import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const MOMENT = '2026-03-01T12:00:00.000Z';
const NOTE = 'the acquirer has corrected its books';

const BAD_LIMIT = {
  summary: 'A page has at most 100 elements',
  reason: 'validation_failed',
  detail: 'The request cannot be accepted as it is; see `errors`.',
  errors: { limit: ['Must be at most 100.'] },
} as const;
const FINAL = { summary: 'It is answered already', detail: 'the alarm is answered already' } as const;

const ALARM = {
  alarmId: IDS.alarm,
  kind: 'AcquirerCallOpen',
  subject: 'cp_sandbox_5pXo1mZbQW2s7cR9tLh3Vw',
  message: 'A Capture is open.',
  details: {},
  createdAt: MOMENT,
  state: 'Unanswered',
};

const DIFFERENCE = {
  id: IDS.difference,
  kind: 'OtherAmount',
  reference: 'ref_01a1fc2b097163620cb44287',
  amount: { value: 2001, currencyCode: 'GBP' },
  ours: 'Authorise of 2000 GBP',
  theirs: 'Authorise of 2001 GBP',
  says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP',
  state: 'Open',
  happenedAt: MOMENT,
  firstSeenAt: MOMENT,
  lastSeenAt: MOMENT,
};

const LEASE = {
  leaseId: IDS.lease,
  accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
  sessionId: '7a1c0b52-5b0d-4d0f-8a55-0a3e7f1c9b30',
  owner: '90000001',
  waiterId: 42,
  acquiredAt: MOMENT,
  expiresAt: '2026-03-01T12:10:00.000Z',
  state: 'Held',
  openPayments: 0,
};

const PENDING = {
  paymentId: IDS.pending,
  sessionId: '7a1c0b52-5b0d-4d0f-8a55-0a3e7f1c9b31',
  baseAmount: 2000,
  gratuityAmount: 0,
  cashbackAmount: 0,
  currency: 'GBP',
  state: 'RecordUnknown',
  since: MOMENT,
  attempts: 1,
  alarm: false,
};

/** What the operator of a restaurant decides. The player creates what the decisions are about. */
export const OPERATOR_EXAMPLES: readonly OperationExample[] = [
  accept('listAlarms', 'The alarms that nobody has answered', {
    query: { state: 'Unanswered' },
    answer: { data: [ALARM], before: null, after: null },
  }),
  refuse('listAlarms', { query: { limit: '101' } }, BAD_LIMIT),
  accept('answerAlarm', 'An alarm is answered', {
    params: { alarmId: IDS.alarm },
    body: { note: NOTE },
    answer: {
      ...{ ...ALARM, state: 'Answered' },
      answer: { note: NOTE, keyId: IDS.operatorKey, answeredAt: MOMENT },
    },
  }),
  refuse(
    'answerAlarm',
    { params: { alarmId: IDS.alarm }, body: { note: NOTE } },
    { ...FINAL, reason: 'alarm_answered' },
  ),
  accept('readReconciliation', 'How far the checks have come', { answer: { uncomparedDays: [] } }),
  accept('startReconciliation', 'The books of two days are checked', {
    body: { from: '2026-02-27T00:00:00Z', to: '2026-03-01T00:00:00Z', note: 'the bank called' },
    answer: { requestedFrom: '2026-02-27T00:00:00.000Z', requestedTo: '2026-03-01T00:00:00.000Z', uncomparedDays: [] },
  }),
  refuse(
    'startReconciliation',
    { body: { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z', note: 'the bank called' } },
    {
      summary: 'The span is at most 31 days',
      reason: 'validation_failed',
      detail: 'must be at most 31 days before the end of the span',
      errors: { from: ['must be at most 31 days before the end of the span'] },
    },
  ),
  accept('listReconciliationDifferences', 'The differences that are open', {
    query: { state: 'Open' },
    answer: { data: [DIFFERENCE], before: null, after: null },
  }),
  refuse('listReconciliationDifferences', { query: { limit: '101' } }, BAD_LIMIT),
  accept('answerReconciliationDifference', 'A difference is explained', {
    params: { differenceId: IDS.difference },
    body: { note: 'a fee of the acquirer, agreed' },
    answer: { ...DIFFERENCE, state: 'Answered' },
  }),
  refuse(
    'answerReconciliationDifference',
    { params: { differenceId: IDS.unknownUuid }, body: { note: NOTE } },
    { summary: 'No difference has the id', reason: 'difference_not_found', detail: 'there is no such difference' },
  ),
  accept('listPendingPayments', 'A payment that the EPOS has not confirmed', { answer: [PENDING] }),
  accept('resolvePendingPayment', 'The call to the EPOS is repeated at once', {
    params: { paymentId: IDS.pending },
    body: { action: 'RetryNow', note: 'the EPOS was restarted' },
    answer: PENDING,
  }),
  refuse(
    'resolvePendingPayment',
    { params: { paymentId: IDS.unknownUuid }, body: { action: 'RetryNow', note: 'the EPOS was restarted' } },
    {
      summary: 'No payment with the id is pending',
      reason: 'pending_payment_not_found',
      detail: 'there is no such payment',
    },
  ),
  accept('listTableLeases', 'The sessions that devices hold', { answer: [LEASE] }),
  accept('releaseTableLease', 'The lease of a lost machine ends', {
    params: { leaseId: IDS.lease },
    body: { reason: 'the machine was dropped' },
    answer: { ...LEASE, state: 'Forced' },
  }),
  refuse(
    'releaseTableLease',
    { params: { leaseId: IDS.lease }, body: { reason: 'the machine was dropped' } },
    {
      summary: 'The lease has ended already',
      reason: 'lease_over',
      detail: 'the lease is Forced',
    },
  ),
  accept('listTableOperatorCalls', 'What operators have decided', {
    query: { limit: '10' },
    answer: {
      data: [
        {
          id: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b40',
          keyId: IDS.operatorKey,
          action: 'ReleaseLease',
          subject: IDS.lease,
          note: 'the machine was dropped',
          confirmed: false,
          outcome: 'Done',
          stateBefore: 'Held',
          stateAfter: 'Forced',
          createdAt: MOMENT,
        },
      ],
      before: null,
      after: null,
    },
  }),
  refuse('listTableOperatorCalls', { query: { limit: '101' } }, BAD_LIMIT),
  accept('replayEposEvents', 'The EPOS gets the events that it has missed', {
    body: { from: '2026-03-01T00:00:00Z', note: 'the EPOS was out of order' },
    answer: { queued: 0 },
  }),
  refuse(
    'replayEposEvents',
    { body: { from: '2026-03-01T00:00:00Z' } },
    {
      summary: 'The reason of the operator is missing',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { note: ['Is required.'] },
    },
  ),
];
