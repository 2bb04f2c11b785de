import { URL_LENGTH_MAX } from '@pos/core/webhooks';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Auth, AuthInput, CapabilitiesInput, Capability } from './epos-capabilities.js';
import { Moment, text, webAddress } from '../shapes/shapes.js';

const MOMENT_EXAMPLE = '2026-03-01T12:00:00.000Z';

const CAPABLE_EXAMPLE = {
  capabilities: [{ name: 'GetOrderById', version: 'v1', updatedAt: MOMENT_EXAMPLE }],
  createdAt: MOMENT_EXAMPLE,
};
const CALLED_EXAMPLE = {
  url: 'https://epos.example:50051',
  auth: { authType: 'basic', basic: { username: 'till' } },
  createdAt: MOMENT_EXAMPLE,
} as const;
const REST_EXAMPLE = { ...CALLED_EXAMPLE, ...CAPABLE_EXAMPLE, url: 'https://epos.example/pos' };

const baseAddress = webAddress({ max: URL_LENGTH_MAX }).refine((address) => !/[?#]/.test(address), {
  error: 'Must have neither query nor fragment: paths are appended to it.',
});
const hostAddress = webAddress({ max: URL_LENGTH_MAX }).refine(
  (address) => !URL.canParse(address) || (!/[?#]/.test(address) && new URL(address).pathname === '/'),
  { error: 'Must be https://host:port, without a path.' },
);

const RestIntegration = z
  .object({
    url: z.string().describe('Address of the EPOS, to which `/v1/…` is appended.'),
    auth: Auth.describe('How the service authenticates itself at the EPOS.'),
    capabilities: z.array(Capability).describe('What the EPOS can do. Nothing else is called.'),
    createdAt: Moment.describe('When it was registered.'),
  })
  .meta({ id: 'RestIntegration', examples: [REST_EXAMPLE] });
const WsIntegration = z
  .object({
    capabilities: z.array(Capability).describe('What the EPOS can do. Nothing else is called.'),
    createdAt: Moment.describe('When it was registered.'),
  })
  .meta({
    id: 'WsIntegration',
    description: 'The capabilities of the EPOS on the socket that it opens.',
    examples: [CAPABLE_EXAMPLE],
  });
const ServiceManagedIntegration = z
  .object({
    capabilities: z.array(Capability).describe('What the EPOS can do. Nothing else is called.'),
    createdAt: Moment.describe('When it was set up.'),
  })
  .meta({
    id: 'ServiceManagedIntegration',
    description: 'Set up by the operator of the service.',
    examples: [CAPABLE_EXAMPLE],
  });
const GrpcIntegration = z
  .object({
    url: z.string().describe('Address at which the EPOS serves gRPC, as `https://host:port`.'),
    auth: Auth.describe('How the service authenticates itself at the EPOS.'),
    createdAt: Moment.describe('When it was registered.'),
  })
  .meta({
    id: 'GrpcIntegration',
    description: 'An EPOS that serves the pay-at-table contract over gRPC.',
    examples: [CALLED_EXAMPLE],
  });

const EposIntegrations = z
  .object({
    restIntegrations: z.array(RestIntegration).describe('The EPOS that is called over REST: one element, or none.'),
    wsIntegrations: z.array(WsIntegration).describe('The EPOS that opens a WebSocket: one element, or none.'),
    serviceManagedIntegrations: z
      .array(ServiceManagedIntegration)
      .describe('What the operator of the service has set up: one element, or none.'),
    grpcIntegrations: z.array(GrpcIntegration).describe('The EPOS that is called over gRPC: one element, or none.'),
  })
  .meta({
    id: 'EposIntegrations',
    examples: [
      {
        restIntegrations: [REST_EXAMPLE],
        wsIntegrations: [],
        serviceManagedIntegrations: [],
        grpcIntegrations: [],
      },
    ],
  });
export type EposIntegrations = z.output<typeof EposIntegrations>;

const AUTH_EXAMPLE = { authType: 'basic', basic: { username: 'till', password: 'Wf3-kk2' } } as const;

const NewRestIntegration = z
  .object({
    url: baseAddress.describe('Address of the EPOS, without query and fragment; `/v1/…` is appended.'),
    capabilities: CapabilitiesInput.describe(
      'Everything that the EPOS can do; each capability once. An empty list registers nothing.',
    ),
    auth: AuthInput.describe('How the service authenticates itself at the EPOS.'),
  })
  .meta({
    id: 'NewRestIntegration',
    examples: [
      {
        url: 'https://epos.example/pos',
        capabilities: [
          { name: 'SearchOrders', version: 'v1' },
          { name: 'HandleEvent:payment_intent.status_updated', version: 'v1' },
        ],
        auth: AUTH_EXAMPLE,
      },
    ],
  });

const NewWsIntegration = z
  .object({
    capabilities: CapabilitiesInput.describe(
      'Everything that the EPOS can do; each capability once. An empty list registers nothing.',
    ),
  })
  .meta({
    id: 'NewWsIntegration',
    examples: [{ capabilities: [{ name: 'GetOrderById', version: 'v1' }] }],
  });

const NewGrpcIntegration = z
  .object({
    url: hostAddress.describe('Address at which the EPOS serves gRPC, as `https://host:port`, without a path.'),
    auth: AuthInput.describe('How the service authenticates itself at the EPOS.'),
  })
  .meta({ id: 'NewGrpcIntegration', examples: [{ url: 'https://epos.example:50051', auth: AUTH_EXAMPLE }] });

/** Ids of the EPOS itself. Unknown ids are accepted. */
const eposId = text({ min: 1, max: 200 });
const otherTheme = z.never().optional().describe('Never present here: it belongs to another value of `eventType`.');
const REPORT_EXAMPLE = { eventType: 'OrderUpdated', event: { orderId: '118' } } as const;

function eventReport(id: string) {
  return z
    .discriminatedUnion('eventType', [
      z.object({
        eventType: z.literal('OrderUpdated').describe('What has changed at the EPOS; decides which id `event` has.'),
        event: z
          .object({
            orderId: eposId.describe('Id of the order at the EPOS.'),
            partyId: otherTheme.describe('Id of the party at the EPOS.'),
            reservationId: otherTheme.describe('Id of the reservation at the EPOS.'),
          })
          .describe('The id of what has changed.'),
      }),
      z.object({
        eventType: z.literal('PartyUpdated').describe('What has changed at the EPOS; decides which id `event` has.'),
        event: z
          .object({
            partyId: eposId.describe('Id of the party at the EPOS.'),
            orderId: otherTheme.describe('Id of the order at the EPOS.'),
            reservationId: otherTheme.describe('Id of the reservation at the EPOS.'),
          })
          .describe('The id of what has changed.'),
      }),
      z.object({
        eventType: z
          .literal('ReservationUpdated')
          .describe('What has changed at the EPOS; decides which id `event` has.'),
        event: z
          .object({
            reservationId: eposId.describe('Id of the reservation at the EPOS.'),
            orderId: otherTheme.describe('Id of the order at the EPOS.'),
            partyId: otherTheme.describe('Id of the party at the EPOS.'),
          })
          .describe('The id of what has changed.'),
      }),
    ])
    .meta({ id, examples: [REPORT_EXAMPLE] });
}

const shared = { tag: 'EPOS', version: 'optional' } as const;
const WHOLE_TRUTH = 'What is sent replaces all that was registered of this kind; an empty list registers nothing.';

export const listEposIntegrations = {
  ...shared,
  id: 'listEposIntegrations',
  method: 'GET',
  path: '/epos/integrations',
  summary: 'List how the EPOS is reached and what it can do',
  permission: 'epos.read',
  idempotency: 'none',
  returns: EposIntegrations,
  refusals: [],
} as const satisfies Operation;

const rest = { ...shared, path: '/epos/integrations/rest' } as const;
const ws = { ...shared, path: '/epos/integrations/ws' } as const;
const grpc = { ...shared, path: '/epos/integrations/grpc' } as const;

export const readRestIntegration = {
  ...rest,
  id: 'readRestIntegration',
  method: 'GET',
  summary: 'Read what is registered of the EPOS over REST',
  permission: 'epos.read',
  idempotency: 'none',
  returns: z.array(RestIntegration),
  refusals: [],
} as const satisfies Operation;

export const putRestIntegration = {
  ...rest,
  id: 'putRestIntegration',
  method: 'PUT',
  summary: 'Register the EPOS at an address that is called',
  description: `${WHOLE_TRUTH} \`/v1/…\` is appended to the address.`,
  permission: 'epos.write',
  idempotency: 'optional',
  body: NewRestIntegration,
  returns: z.array(RestIntegration),
  refusals: [],
} as const satisfies Operation;

export const deleteRestIntegration = {
  ...rest,
  id: 'deleteRestIntegration',
  method: 'DELETE',
  summary: 'Forget the EPOS over REST and its credentials',
  permission: 'epos.write',
  idempotency: 'optional',
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const readWsIntegration = {
  ...ws,
  id: 'readWsIntegration',
  method: 'GET',
  summary: 'Read what is registered of the EPOS over a WebSocket',
  permission: 'epos.read',
  idempotency: 'none',
  returns: z.array(WsIntegration),
  refusals: [],
} as const satisfies Operation;

export const putWsIntegration = {
  ...ws,
  id: 'putWsIntegration',
  method: 'PUT',
  summary: 'Register the capabilities of the EPOS on the socket that it opens',
  description: WHOLE_TRUTH,
  permission: 'epos.write',
  idempotency: 'optional',
  body: NewWsIntegration,
  returns: z.array(WsIntegration),
  refusals: [],
} as const satisfies Operation;

export const deleteWsIntegration = {
  ...ws,
  id: 'deleteWsIntegration',
  method: 'DELETE',
  summary: 'Forget the EPOS over a WebSocket',
  permission: 'epos.write',
  idempotency: 'optional',
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const readServiceManagedIntegrations = {
  ...shared,
  path: '/epos/integrations/service',
  id: 'readServiceManagedIntegrations',
  method: 'GET',
  summary: 'Read what the operator of the service has set up',
  permission: 'epos.read',
  idempotency: 'none',
  returns: z.array(ServiceManagedIntegration),
  refusals: [],
} as const satisfies Operation;

export const readGrpcIntegration = {
  ...grpc,
  id: 'readGrpcIntegration',
  method: 'GET',
  summary: 'Read where the EPOS serves the pay-at-table contract over gRPC',
  permission: 'epos.read',
  idempotency: 'none',
  returns: z.array(GrpcIntegration),
  refusals: [],
} as const satisfies Operation;

export const putGrpcIntegration = {
  ...grpc,
  id: 'putGrpcIntegration',
  method: 'PUT',
  summary: 'Register the EPOS at a gRPC address that is dialled',
  description: 'What is sent replaces address and credentials.',
  permission: 'epos.write',
  idempotency: 'optional',
  body: NewGrpcIntegration,
  returns: z.array(GrpcIntegration),
  refusals: [],
} as const satisfies Operation;

export const deleteGrpcIntegration = {
  ...grpc,
  id: 'deleteGrpcIntegration',
  method: 'DELETE',
  summary: 'Forget the EPOS over gRPC and its credentials',
  permission: 'epos.write',
  idempotency: 'optional',
  returns: null,
  refusals: [],
} as const satisfies Operation;

export const reportEposEvent = {
  ...shared,
  id: 'reportEposEvent',
  method: 'POST',
  path: '/epos/events',
  summary: 'Report that an order, a party or a reservation has changed at the EPOS',
  description:
    '"Updated" reports a creation, a change or a deletion; the service reads the current state when it needs it. Unknown ids are accepted.',
  permission: 'epos.write',
  idempotency: 'optional',
  body: eventReport('NewEposEvent'),
  returns: eventReport('EposEvent'),
  refusals: [],
} as const satisfies Operation;

export const EPOS_OPERATIONS = [
  listEposIntegrations,
  readRestIntegration,
  putRestIntegration,
  deleteRestIntegration,
  readWsIntegration,
  putWsIntegration,
  deleteWsIntegration,
  readServiceManagedIntegrations,
  readGrpcIntegration,
  putGrpcIntegration,
  deleteGrpcIntegration,
  reportEposEvent,
] as const;
