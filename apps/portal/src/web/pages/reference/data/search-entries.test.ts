import { expect, test } from '@jest/globals';
import type { ReferenceIndex } from './reference-data.js';
import { listSearchEntries, searchEntries } from './search-entries.js';

const operation = { tag: 'Payment intents', server: 'api', method: 'POST', file: '' } as const;
const INDEX: ReferenceIndex = {
  ...{ release: '2026-02-27', releases: [], errorsFile: '' },
  operations: [
    {
      ...operation,
      id: 'createPaymentIntent',
      path: '/payment-intents',
      summary: 'Create a payment intent',
      words: 'amount reference',
    },
    {
      ...operation,
      id: 'refundPaymentIntent',
      path: '/payment-intents/{id}/refunds',
      summary: 'Refund a payment',
      words: 'amount refundReason',
    },
  ],
  events: [{ kind: 'payment_intent.amount_refunded', file: '' }],
  guides: [
    {
      id: 'quickstart',
      title: 'Quickstart',
      section: 'start',
      headings: [{ id: 'refund', title: 'Refund a part' }],
      file: '',
    },
  ],
  errors: [{ reason: 'refund_refused', status: 422, meaning: 'The acquirer refused it.' }],
};
const ENTRIES = listSearchEntries(INDEX);

test.each([
  ['refund', ['refundPaymentIntent', 'payment_intent.amount_refunded', 'quickstart#refund', 'refund_refused']],
  ['REFUND part', ['quickstart#refund']],
  ['refundReason', ['refundPaymentIntent']],
  ['post /payment-intents', ['createPaymentIntent', 'refundPaymentIntent']],
  ['createpaymentintent', ['createPaymentIntent']],
  ['acquirer', ['refund_refused']],
  ['422', ['refund_refused']],
  ['', []],
  ['   ', []],
  ['refund nothing', []],
  ['.*', []],
])('“%s” finds %j', (query, found) => {
  expect(searchEntries(ENTRIES, query).map(({ to }) => to.split('/').at(-1))).toEqual(found);
});

test('at most twelve entries are shown, those with the words in their title first', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    ...ENTRIES[0],
    title: at < 39 ? 'other' : 'amount',
    words: 'amount',
  }));
  const found = searchEntries(many as typeof ENTRIES, 'amount');
  expect(found).toHaveLength(12);
  expect(found[0]?.title).toBe('amount');
});
