import {
  CAPABILITY_SYNONYMS,
  CAPABILITY_VERSIONS,
  findCapability,
  EPOS_CAPABILITIES,
  type EposCapability,
} from '@pos/core/tables/epos-capability';
import { URL_LENGTH_MAX } from '@pos/core/webhooks/delivery-schedule';
import { z } from 'zod';
import { ownReference } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Moment, text, webAddress, WORDS_MAX } from '../shapes/shapes.js';

const NAMES = [...EPOS_CAPABILITIES, ...Object.keys(CAPABILITY_SYNONYMS)];
const CREDENTIAL_LENGTH_MAX = 255;
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

const CapabilityInput = z
  .object({ name: z.enum(NAMES), version: z.enum(CAPABILITY_VERSIONS) })
  .meta({ id: 'NewEposCapability', examples: [{ name: 'GetOrderById', version: 'v1' }] });

const Capability = z.object({ name: z.enum(NAMES), version: z.enum(CAPABILITY_VERSIONS), updatedAt: Moment }).meta({
  id: 'EposCapability',
  description: 'Name and version as they were sent.',
  examples: [{ name: 'GetOrderById', version: 'v1', updatedAt: MOMENT_EXAMPLE }],
});

const CapabilitiesInput = z
  .array(CapabilityInput)
  .max(WORDS_MAX)
  .check((subject) => {
    const seen = new Set<EposCapability | null>();
    subject.value.forEach(({ name }, place) => {
      const capability = findCapability(name);
      if (seen.has(capability)) {
        const message = `Is there twice: ${capability ?? name}.`;
        subject.issues.push({ code: 'custom', input: name, path: [place, 'name'], message });
      }
      seen.add(capability);
    });
  });

const Auth = z
  .object({ authType: z.literal('basic'), basic: z.object({ username: z.string() }) })
  .meta({ id: 'EposAuth', description: 'The password is never told.' });

const AuthInput = z
  .object({
    authType: z.literal('basic'),
    basic: z.object({
      username: ownReference({ min: 1, max: CREDENTIAL_LENGTH_MAX }).refine((name) => !name.includes(':'), {
        error: 'Must not contain a colon: it ends the user name in HTTP Basic.',
      }),
      password: text({ min: 1, max: CREDENTIAL_LENGTH_MAX }),
    }),
  })
  .meta({ id: 'NewEposAuth', description: 'Sent to the EPOS as HTTP Basic, base64 of `username:password`.' });

const baseAddress = webAddress({ max: URL_LENGTH_MAX }).refine((address) => !/[?#]/.test(address), {
  error: 'Must have neither query nor fragment: paths are appended to it.',
});
const hostAddress = webAddress({ max: URL_LENGTH_MAX }).refine(
  (address) => !URL.canParse(address) || (!/[?#]/.test(address) && new URL(address).pathname === '/'),
  { error: 'Must be https://host:port, without a path.' },
);

const RestIntegration = z
  .object({ url: z.string(), auth: Auth, capabilities: z.array(Capability), createdAt: Moment })
  .meta({ id: 'RestIntegration', examples: [REST_EXAMPLE] });
const WsIntegration = z.object({ capabilities: z.array(Capability), createdAt: Moment }).meta({
  id: 'WsIntegration',
  description: 'The EPOS opens the socket; what it may be asked there.',
  examples: [CAPABLE_EXAMPLE],
});
const ServiceManagedIntegration = z.object({ capabilities: z.array(Capability), createdAt: Moment }).meta({
  id: 'ServiceManagedIntegration',
  description: 'Set up by the operator of the service.',
  examples: [CAPABLE_EXAMPLE],
});
const GrpcIntegration = z.object({ url: z.string(), auth: Auth, createdAt: Moment }).meta({
  id: 'GrpcIntegration',
  description: 'An EPOS that serves the pay-at-table contract over gRPC.',
  examples: [CALLED_EXAMPLE],
});

const EposIntegrations = z
  .object({
    restIntegrations: z.array(RestIntegration),
    wsIntegrations: z.array(WsIntegration),
    serviceManagedIntegrations: z.array(ServiceManagedIntegration),
    grpcIntegrations: z.array(GrpcIntegration),
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

const NewRestIntegration = z.object({ url: baseAddress, capabilities: CapabilitiesInput, auth: AuthInput }).meta({
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

const NewWsIntegration = z.object({ capabilities: CapabilitiesInput }).meta({
  id: 'NewWsIntegration',
  examples: [{ capabilities: [{ name: 'GetOrderById', version: 'v1' }] }],
});

const NewGrpcIntegration = z
  .object({ url: hostAddress, auth: AuthInput })
  .meta({ id: 'NewGrpcIntegration', examples: [{ url: 'https://epos.example:50051', auth: AUTH_EXAMPLE }] });

/** Ids of the EPOS itself. Unknown ids are accepted. */
const eposId = text({ min: 1, max: 200 });
const otherTheme = z.never().optional();
const REPORT_EXAMPLE = { eventType: 'OrderUpdated', event: { orderId: '118' } } as const;

function eventReport(id: string) {
  return z
    .discriminatedUnion('eventType', [
      z.object({
        eventType: z.literal('OrderUpdated'),
        event: z.object({ orderId: eposId, partyId: otherTheme, reservationId: otherTheme }),
      }),
      z.object({
        eventType: z.literal('PartyUpdated'),
        event: z.object({ partyId: eposId, orderId: otherTheme, reservationId: otherTheme }),
      }),
      z.object({
        eventType: z.literal('ReservationUpdated'),
        event: z.object({ reservationId: eposId, orderId: otherTheme, partyId: otherTheme }),
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
  summary: 'Register what the EPOS may be asked over the socket that it opens',
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
  summary: 'Tell that an order, a party or a reservation has changed at the EPOS',
  description:
    'Created, changed and deleted are all "Updated"; what it is now is read when it is needed. Ids that are not known are accepted.',
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
