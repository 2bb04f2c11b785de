import { AUDIT_ACTIONS } from '@pos/core/administration';
import { ENVIRONMENTS } from '@pos/core/identity';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, MomentInput, text } from '../shapes/shapes.js';
import { ADMINISTRATION, OPERATOR_REFUSALS, TARGET } from './administration-shapes.js';

const AdministeredAuditEntry = z
  .object({
    id: z.string().describe('The entry.'),
    accountId: z.string().optional().describe('The account; absent for a change that belongs to none.'),
    environment: z.enum(ENVIRONMENTS).describe('The environment.'),
    actor: z.string().describe('Who: the id of a user of the portal, or the actor of a command.'),
    actorEmail: z.string().optional().describe('The address of the user; absent for the actor of a command.'),
    operatingSystemUser: z
      .string()
      .optional()
      .describe('Who ran the command according to its machine; absent for what was done in the portal.'),
    action: z.enum(AUDIT_ACTIONS).describe('What was done.'),
    subject: z.string().describe('What was changed.'),
    reason: z.string().describe('Why.'),
    before: z.record(z.string(), z.unknown()).optional().describe('The state before, without secrets.'),
    after: z.record(z.string(), z.unknown()).optional().describe('The state after it, without secrets.'),
    createdAt: Moment.describe('When.'),
  })
  .meta({ id: 'AdministeredAuditEntry' });
export type AdministeredAuditEntry = z.output<typeof AdministeredAuditEntry>;

const CURSOR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z_[0-9a-f-]{36}$/;

/** The time of the last entry of a page, and its id. */
function isCursor(sent: string): boolean {
  return CURSOR.test(sent) && !Number.isNaN(Date.parse(sent.split('_', 1)[0] ?? ''));
}

export const listAdministeredAuditLog = {
  ...ADMINISTRATION,
  id: 'listAdministeredAuditLog',
  method: 'GET',
  path: '/portal/administration/audit-log',
  summary: 'List the changes of operators, sign-ins, and reads of personal data',
  description: 'Newest first, of all accounts and of the service itself.',
  query: z.object({
    account: TARGET.account.optional().describe('Only changes of this account.'),
    isSystem: z.boolean().default(false).describe('Only changes that belong to no account.'),
    actor: text({ min: 1, max: 254 })
      .optional()
      .describe('Only by this actor: a name, the id of a user of the portal, or the address of one.'),
    action: z.enum(AUDIT_ACTIONS).optional().describe('Only this action.'),
    subject: text({ min: 1, max: 200 }).optional().describe('Only changes of this.'),
    from: MomentInput.optional().describe('Only changes at or after this time.'),
    to: MomentInput.optional().describe('Only changes before this time.'),
    after: text({ min: 1, max: 100 })
      .refine(isCursor, { error: 'Must be the member `after` of an earlier page.' })
      .optional()
      .describe('The cursor of an earlier page: returns the older entries.'),
    limit: z.int().min(1).max(200).default(50).describe('The most to list.'),
  }),
  returns: z
    .object({
      entries: z.array(AdministeredAuditEntry),
      after: z.string().optional().describe('The cursor of the older entries; absent at the end.'),
    })
    .meta({
      id: 'AdministeredAuditLog',
      examples: [
        {
          entries: [
            {
              id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
              accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
              environment: 'production',
              actor: 'usr_AaH8KwlxavakGwZZljrhYw',
              actorEmail: 'ann@corner.example',
              action: 'DisableAccount',
              subject: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
              reason: 'contract ended',
              before: { status: 'Active' },
              after: { status: 'Disabled' },
              createdAt: '2026-03-01T12:00:00.000Z',
            },
          ],
        },
      ],
    }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;
