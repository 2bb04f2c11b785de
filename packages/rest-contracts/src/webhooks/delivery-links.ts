import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, text, TimespanInput } from '../shapes/shapes.js';

/** Where the portal serves the page of a link; the token follows. */
export const DELIVERY_PAGE_PATH = '/embed/deliveries';

const MINUTE_MS = 60_000;
const LINK_MS_DEFAULT = 15 * MINUTE_MS;
const LINK_MS_MAX = 60 * MINUTE_MS;
const FRAME_ANCESTORS_MAX = 5;
/** An origin without a wildcard: https, or this machine while a page is developed. */
const ORIGIN = /^(?:https:\/\/[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

const NewDeliveryLink = z
  .object({
    paymentIntentId: text({ min: 1, max: 100 }).optional().meta({
      description: 'Only deliveries of events about this payment (`pi_…`); all of the subscription when not sent.',
    }),
    frameAncestors: z
      .array(z.string().regex(ORIGIN, { error: 'Must be an origin such as https://shop.example, without a path.' }))
      .max(FRAME_ANCESTORS_MAX)
      .default([])
      .describe('Origins of the pages that may embed the page, 5 at most; without one, no page may.'),
    expiresIn: TimespanInput.refine((spanMs) => spanMs > 0 && spanMs <= LINK_MS_MAX, {
      error: 'Must be more than zero and at most one hour.',
    })
      .optional()
      .meta({ description: 'How long the link can be opened, one hour at most; 15 minutes when not sent.' }),
  })
  .meta({
    id: 'NewDeliveryLink',
    examples: [{ frameAncestors: ['https://shop.example'], expiresIn: '00:15:00' }],
  });

const DeliveryLink = z
  .object({
    path: z.string().meta({
      description:
        'The path of the page. Append it to the address of the portal. Everybody who has it can read the page.',
    }),
    expiresAt: Moment.meta({ description: 'When the link ends, by real time also in a sandbox.' }),
  })
  .meta({
    id: 'DeliveryLink',
    examples: [
      {
        path: '/embed/deliveries/eyJhY2NvdW50IjoiYWNjX1FrMXY1cjBiVDRhMlM3bjhMdzNYeUEifQ.c2lnbmF0dXJl',
        expiresAt: '2026-03-01T12:15:00.000Z',
      },
    ],
  });

/** How long a link lives for which no time was sent. */
export const DELIVERY_LINK_MS = LINK_MS_DEFAULT;

export const createDeliveryLink = {
  id: 'createDeliveryLink',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/delivery-links',
  tag: 'Webhooks',
  version: 'required',
  summary: 'Create a short-lived link to a page with the deliveries of a subscription',
  description:
    'The page shows the newest deliveries and their attempts, and changes nothing. It has no bodies and no secrets. Embed ' +
    'it in a page of your own, or send it to a colleague who has no user of the portal. A link cannot be taken back; it ends by itself.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: z.object({ subscriptionId: z.string().describe('Id of the subscription (`ws_…`).') }),
  body: NewDeliveryLink,
  returns: DeliveryLink,
  refusals: ['subscription_not_found', 'payment_intent_not_found'],
} as const satisfies Operation;
