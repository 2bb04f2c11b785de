import { CARD_SCHEMES, SCHEMES } from '@pos/core/cards';
import { PAYMENT_PRODUCTS, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@pos/core/ledger';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import {
  isOneDirection,
  Moment,
  MomentInput,
  Money,
  ONE_DIRECTION,
  PAGE_MEMBERS,
  getPage,
  WORDS_MAX,
} from '../shapes/shapes.js';

const CARD_TYPES = CARD_SCHEMES.map((scheme) => SCHEMES[scheme].transactionType);
const ENTRY_MODES = ['Chip', 'ContactLess', 'Swipe', 'Keyed', 'Unknown'] as const;

export const Transaction = z
  .object({
    id: z.uuid().meta({ description: 'Of a payment the `transactionId` of its details.' }),
    legacyId: z.string().regex(/^\d+$/).meta({ description: 'Decimal digits, for reports that need a number.' }),
    paymentIntentId: z
      .string()
      .optional()
      .describe('Id of the payment intent (`pi_…`); absent for an unlinked refund.'),
    merchantId: z.string().optional().describe('Number of the merchant at the acquirer; absent when it was not known.'),
    reference: z.string().optional().describe('Reference of the payment intent; absent for an unlinked refund.'),
    dateTime: Moment.describe('When the acquirer decided.'),
    type: z.enum(TRANSACTION_TYPES).optional().meta({
      description: 'PreAuth: a hold. Collection: a capture of one.',
    }),
    status: z
      .enum(TRANSACTION_STATUSES)
      .optional()
      .meta({
        description:
          'A hold is AwaitingCollection until it is fully captured (Authorized), released in part (Released), ' +
          'over with nothing captured (Expired) or undone (Reversed).',
      }),
    amount: Money.meta({ description: 'Without tip and cashback.' }),
    cashbackAmount: Money.describe('Cash that was handed to the payer; 0 without any.'),
    tipsAmount: Money.describe('The tip within the transaction; 0 without one.'),
    settledOn: z.iso.date().optional().meta({
      description:
        'The day on which the acquirer settled the capture or refund, by its calendar; absent until a settlement file names it.',
    }),
    paymentDetails: z
      .object({
        card: z
          .object({
            number: z.string().meta({ description: 'Asterisks and the last four digits.' }),
            fundingType: z
              .enum(['Credit', 'Debit'])
              .optional()
              .describe('How the card is funded; absent when it is not known or is neither of the two.'),
            type: z.enum(CARD_TYPES).optional().meta({ description: 'Absent if the scheme is not known.' }),
          })
          .optional()
          .describe('The card, masked; absent when there was none.'),
        authCode: z.string().optional().describe('Code with which the issuer approved; absent when it did not.'),
        isRemote: z.boolean().meta({ description: 'True unless taken on a card machine.' }),
        paymentProduct: z
          .enum(PAYMENT_PRODUCTS)
          .optional()
          .describe('How the payment was started; absent when it is not known.'),
        terminalEntryModeType: z
          .enum(ENTRY_MODES)
          .optional()
          .describe('How the card machine read the card; absent for remote payments.'),
        terminalId: z.string().optional().describe('Id of the card machine (`tm_…`); absent for remote payments.'),
      })
      .describe('How the money was taken.'),
  })
  .meta({
    id: 'Transaction',
    examples: [
      {
        id: '0b6e3f3a-2f0e-4f57-9d6a-6d2a0f3f7d11',
        legacyId: '1042',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        merchantId: '9000012345',
        reference: 'table 4',
        dateTime: '2026-03-01T12:00:08.700Z',
        type: 'Sale',
        status: 'Authorized',
        amount: { value: 1250, currencyCode: 'GBP' },
        cashbackAmount: { value: 0, currencyCode: 'GBP' },
        tipsAmount: { value: 150, currencyCode: 'GBP' },
        paymentDetails: {
          card: { number: '************1014', fundingType: 'Debit', type: 'Visa' },
          authCode: '204711',
          isRemote: false,
          paymentProduct: 'Terminal',
          terminalEntryModeType: 'ContactLess',
          terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
        },
      },
    ],
  });
export type Transaction = z.output<typeof Transaction>;

const TransactionSearch = z
  .object({
    startDate: MomentInput.nullable().meta({
      description: 'Inclusive; null = seven days before the end. The span is at most seven days.',
    }),
    endDate: MomentInput.nullable().meta({ description: 'Exclusive; null = now.' }),
    statuses: z
      .array(z.enum(TRANSACTION_STATUSES))
      .max(WORDS_MAX)
      .default([])
      .meta({ description: 'All when not sent.' }),
    cursor: z
      .object(PAGE_MEMBERS)
      .refine(isOneDirection, ONE_DIRECTION)
      .prefault({})
      .meta({ description: 'Which page.' }),
  })
  .meta({
    id: 'TransactionSearch',
    examples: [{ startDate: null, endDate: null, statuses: ['Authorized'], cursor: { limit: 10 } }],
  });

export const searchTransactions = {
  id: 'searchTransactions',
  method: 'POST',
  path: '/transactions/search',
  tag: 'Transactions',
  summary: 'Search transactions, newest first',
  description:
    'One element for each attempt to capture, hold or return money: sales, holds and their captures, refunds, and declined attempts.',
  permission: 'transactions.read',
  version: 'required',
  idempotency: 'optional',
  body: TransactionSearch,
  returns: getPage('TransactionPage', Transaction),
  refusals: [],
} as const satisfies Operation;

export const TRANSACTION_OPERATIONS = [searchTransactions] as const;
