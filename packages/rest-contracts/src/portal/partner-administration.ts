import { PARTNER_KINDS, PARTNER_STATUSES } from '@pos/core/accounts';
import { ENVIRONMENTS } from '@pos/core/identity';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { Moment, MomentInput, Money } from '../shapes/shapes.js';
import { ADMINISTRATION, CHANGE_REFUSALS, OPERATOR_REFUSALS, REASON } from './administration-shapes.js';

const PARTNER = {
  kind: z.enum(PARTNER_KINDS).describe('What the partner is.'),
  id: freeText({ min: 1, max: 100 }).describe('What requests send in the header `software-house-id` or `reseller-id`.'),
};
const EXAMPLE_PARTNER = { kind: 'software-house', id: 'Till Makers' } as const;
const EXAMPLE_AMOUNT = { value: 125_000, currencyCode: 'GBP' } as const;

const AdministeredPartner = z
  .object({
    kind: z.enum(PARTNER_KINDS).describe('What the partner is.'),
    id: z.string().describe('What requests send in the header of the kind.'),
    name: z.string().describe('The name for operators.'),
    contact: z.string().optional().describe('Whom to ask; absent for none.'),
    status: z.enum(PARTNER_STATUSES).describe('A retired partner begins nothing new.'),
    createdAt: Moment.describe('When it was registered.'),
    updatedAt: Moment.describe('When it was changed last.'),
  })
  .meta({ id: 'AdministeredPartner' });

export const listAdministeredPartners = {
  ...ADMINISTRATION,
  id: 'listAdministeredPartners',
  method: 'GET',
  path: '/portal/administration/partners',
  summary: 'List the software houses and resellers that production requests may name',
  returns: z
    .object({
      isEnforced: z.boolean().describe('Whether production requests that name another partner are refused.'),
      partners: z.array(AdministeredPartner).describe('By kind and id.'),
    })
    .meta({
      id: 'AdministeredPartners',
      examples: [
        {
          isEnforced: true,
          partners: [
            {
              ...EXAMPLE_PARTNER,
              name: 'Till Makers Ltd',
              status: 'Active',
              createdAt: '2026-03-01T12:00:00.000Z',
              updatedAt: '2026-03-01T12:00:00.000Z',
            },
          ],
        },
      ],
    }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const registerAdministeredPartner = {
  ...ADMINISTRATION,
  id: 'registerAdministeredPartner',
  method: 'POST',
  path: '/portal/administration/partners',
  summary: 'Register a software house or a reseller',
  body: z
    .object({
      ...PARTNER,
      name: freeText({ min: 1, max: 100 }).describe('The name for operators.'),
      contact: freeText({ min: 1, max: 200 }).optional().describe('Whom to ask.'),
      ...REASON,
    })
    .meta({
      id: 'NewAdministeredPartner',
      examples: [{ ...EXAMPLE_PARTNER, name: 'Till Makers Ltd', reason: 'contract 4712' }],
    }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const changeAdministeredPartnerStatus = {
  ...ADMINISTRATION,
  id: 'changeAdministeredPartnerStatus',
  method: 'POST',
  path: '/portal/administration/partners/status',
  summary: 'Retire a partner, or make it active again',
  body: z.object({ ...PARTNER, status: z.enum(PARTNER_STATUSES).describe('The new status.'), ...REASON }).meta({
    id: 'AdministeredPartnerStatus',
    examples: [{ ...EXAMPLE_PARTNER, status: 'Retired', reason: 'contract ended' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const reportAdministeredPartners = {
  ...ADMINISTRATION,
  id: 'reportAdministeredPartners',
  method: 'GET',
  path: '/portal/administration/partners/report',
  summary: 'Sum the turnover of partners over all accounts',
  description:
    'Sales and captures that stand, and refunds, with tips and cashback, of at most 92 days. Each amount counts once for its software house and once for its reseller.',
  query: z.object({
    from: MomentInput.describe('Transactions from this time on.'),
    to: MomentInput.describe('Transactions before this time.'),
    environment: z.enum(ENVIRONMENTS).default('production').describe('The environment.'),
  }),
  returns: z
    .array(
      z.object({
        kind: z.enum(PARTNER_KINDS).describe('What the partner is.'),
        partnerId: z.string().optional().describe('Absent: the requests named none of the kind.'),
        name: z.string().optional().describe('Absent: the partner is not registered.'),
        status: z.enum(PARTNER_STATUSES).optional().describe('Absent: the partner is not registered.'),
        paymentCount: z.int().min(0).describe('How many sales and captures stand.'),
        taken: Money.describe('Their sum.'),
        refundCount: z.int().min(0).describe('How many refunds succeeded.'),
        returned: Money.describe('Their sum.'),
        net: Money.describe('Taken without returned; may be negative.'),
      }),
    )
    .meta({
      id: 'AdministeredPartnerReport',
      examples: [
        [
          {
            kind: 'software-house',
            partnerId: 'Till Makers',
            name: 'Till Makers Ltd',
            status: 'Active',
            paymentCount: 91,
            taken: EXAMPLE_AMOUNT,
            refundCount: 0,
            returned: { value: 0, currencyCode: 'GBP' },
            net: EXAMPLE_AMOUNT,
          },
        ],
      ],
    }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;
