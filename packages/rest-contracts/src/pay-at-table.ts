import { z } from 'zod';
import type { Operation } from './operation.js';
import { Moment } from './shapes.js';

const amount = z.int().min(0).meta({ format: 'int64', description: 'Minor units.' });

const PendingPayment = z
  .object({
    paymentId: z.string(),
    journeyId: z.string().optional().meta({ description: 'Absent for a refund session of a card machine.' }),
    sessionId: z.string().optional(),
    orderId: z.string().optional(),
    paymentIntentId: z.string().optional(),
    baseAmount: amount,
    gratuityAmount: amount,
    cashbackAmount: amount,
    currency: z.string(),
    state: z.string(),
    since: Moment,
    attempts: z.int().min(0),
    lastError: z.string().optional(),
    alarm: z.boolean().meta({ description: 'True once it has been pending for 60 seconds.' }),
  })
  .meta({
    id: 'PendingPayment',
    examples: [
      {
        paymentId: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        journeyId: '0190f3c2-7a51-7d33-9f11-000000000001',
        sessionId: 'S-12',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        baseAmount: 2400,
        gratuityAmount: 300,
        cashbackAmount: 0,
        currency: 'GBP',
        state: 'RecordUnknown',
        since: '2026-03-01T12:00:00.000Z',
        attempts: 3,
        lastError: 'no answer within 30 s',
        alarm: true,
      },
    ],
  });
export type PendingPayment = z.output<typeof PendingPayment>;

export const listPendingPayments = {
  id: 'listPendingPayments',
  method: 'GET',
  path: '/pay-at-table/pending',
  tag: 'Pay at table',
  summary: 'List the payments whose end is still open',
  description:
    'Money that was approved at a table and is neither recorded by the EPOS nor given back yet, ' +
    'and refunds on a card machine whose outcome is not known. Oldest first.',
  permission: 'tables.operate',
  version: 'optional',
  idempotency: 'none',
  returns: z.array(PendingPayment),
  refusals: [],
} as const satisfies Operation;

export const PAY_AT_TABLE_OPERATIONS = [listPendingPayments] as const;
