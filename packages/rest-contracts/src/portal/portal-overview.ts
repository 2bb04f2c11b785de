import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Money } from '../shapes/shapes.js';

const count = z.int().min(0);

const PortalOverview = z
  .object({
    days: z
      .array(z.object({ day: z.iso.date(), amount: Money, payments: count }))
      .meta({ description: 'What was taken in the last seven days, with tips, by day of the account and currency.' }),
    attempts: z.object({ approved: count, declined: count }).meta({ description: 'Of the last seven days.' }),
    deliveries: z
      .object({ delivered: count, waiting: count, deadLettered: count, medianMs: z.number().min(0).optional() })
      .meta({ description: 'Of webhooks, in the last 24 hours.' }),
    isLimited: z.boolean().meta({ description: 'There are more transactions than the numbers contain.' }),
  })
  .meta({
    id: 'PortalOverview',
    examples: [
      {
        days: [{ day: '2026-03-01', amount: { value: 125_000, currencyCode: 'GBP' }, payments: 71 }],
        attempts: { approved: 71, declined: 3 },
        deliveries: { delivered: 70, waiting: 1, deadLettered: 0, medianMs: 240 },
        isLimited: false,
      },
    ],
  });
type PortalOverview = z.output<typeof PortalOverview>;

export const readPortalOverview = {
  id: 'readPortalOverview',
  method: 'GET',
  path: '/portal/overview',
  tag: 'Portal',
  summary: 'Read the numbers of the account for the overview',
  permission: null,
  version: 'none',
  idempotency: 'none',
  returns: PortalOverview,
  refusals: [
    'portal_session_missing',
    'password_change_needed',
    'cross_site_request',
    'account_not_chosen',
    'second_factor_missing',
    'permission_missing',
  ],
} as const satisfies Operation;
