import { SESSION_STATUSES, SESSION_TYPES, TERMINAL_STATUSES } from '@pos/core/terminals';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { getPage, isOneDirection, Moment, Money, ONE_DIRECTION, PAGE_MEMBERS } from '../shapes/shapes.js';

export const Terminal = z
  .object({
    id: z.string().describe('Id of the card machine (`tm_…`); sessions name it.'),
    properties: z
      .object({ tid: z.string().describe('Terminal id at the acquirer, 8 digits; printed on receipts.') })
      .describe('Facts about the machine.'),
    status: z.enum(TERMINAL_STATUSES).meta({
      description: 'InUse: a session runs. Offline: no message for 60 seconds. Available: neither.',
    }),
    updatedAt: Moment.meta({ description: 'Since when it has the status.' }),
  })
  .meta({
    id: 'Terminal',
    examples: [
      {
        id: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
        properties: { tid: '90000001' },
        status: 'Available',
        updatedAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type Terminal = z.output<typeof Terminal>;

const SessionSummary = z
  .object({
    id: z.string().describe('Id of the session (`ts_…`).'),
    status: z.enum(SESSION_STATUSES).describe('Where the session is, as the operation that reads one explains.'),
    sessionType: z.enum(SESSION_TYPES).describe('What the session was created for.'),
    paymentIntentId: z
      .string()
      .optional()
      .describe('Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`.'),
    amount: Money.describe('What is paid or returned, with tip, cashback and service charge.'),
    createdAt: Moment.describe('When the session was created.'),
    updatedAt: Moment.describe('When the last status came.'),
  })
  .meta({
    id: 'TerminalSessionSummary',
    examples: [
      {
        id: 'ts_sandbox_66a1f0c2d4e5f60718293a4b',
        status: 'Captured',
        sessionType: 'Sale',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        amount: { value: 1250, currencyCode: 'GBP' },
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:04.000Z',
      },
    ],
  });
export type TerminalSessionSummary = z.output<typeof SessionSummary>;

const shared = {
  method: 'GET',
  tag: 'Terminals',
  permission: 'terminals.read',
  version: 'required',
  partnerHeaders: true,
  idempotency: 'none',
  problemsCarryCode: true,
} as const;

export const listTerminals = {
  ...shared,
  id: 'listTerminals',
  path: '/terminals',
  summary: 'List the card machines, by TID',
  query: z.object({
    statuses: z
      .array(z.enum(TERMINAL_STATUSES))
      .default([])
      .meta({ description: 'Only these; repeated or separated by commas. All when not sent.' }),
  }),
  returns: z.array(Terminal),
  refusals: [],
} as const satisfies Operation;

export const readTerminal = {
  ...shared,
  id: 'readTerminal',
  path: '/terminals/{terminalId}',
  summary: 'Read a card machine',
  params: z.object({ terminalId: z.string().describe('Id of the card machine (`tm_…`).') }),
  returns: Terminal,
  refusals: ['terminal_not_found'],
} as const satisfies Operation;

export const listTerminalSessions = {
  ...shared,
  id: 'listTerminalSessions',
  path: '/terminals/{terminalId}/sessions',
  summary: 'List the sessions of a card machine, newest first',
  params: z.object({ terminalId: z.string().describe('Id of the card machine (`tm_…`).') }),
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('TerminalSessionSummaryPage', SessionSummary),
  continuesPayment: true,
  refusals: ['terminal_not_found'],
} as const satisfies Operation;

export const resetTerminalMachine = {
  ...shared,
  id: 'resetTerminalMachine',
  method: 'POST',
  path: '/terminals/{terminalId}/machine/reset',
  summary: 'Let another machine serve a TID',
  description:
    'A TID belongs to the machine whose stream was first opened under it, by its serial number and its credential. After this ' +
    'call it belongs to none: its stream ends, and the next machine that opens one is bound. For a machine that was replaced ' +
    'or has lost its credential. Kept in the audit log.',
  permission: 'tables.operate',
  version: 'optional',
  idempotency: 'optional',
  params: z.object({ terminalId: z.string().describe('Id of the card machine (`tm_…`).') }),
  body: z
    .object({ note: freeText({ min: 1, max: 1024 }).meta({ description: 'Why; kept in the audit log.' }) })
    .meta({ id: 'MachineReset', examples: [{ note: 'the machine was replaced' }] }),
  returns: Terminal,
  refusals: ['terminal_not_found'],
} as const satisfies Operation;

export const TERMINAL_OPERATIONS = [listTerminals, readTerminal, listTerminalSessions, resetTerminalMachine] as const;
