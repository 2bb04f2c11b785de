import { CAPABILITY_SYNONYMS, EPOS_CAPABILITIES } from '@pos/core/tables';
import { GRPC_EPOS, REST_EPOS } from './epos-requests.js';

/** The violation, the path, the body, and the name of the refused member. */
export type RefusedRow = readonly [what: string, path: string, body: unknown, member: string];

const REST_PATH = '/epos/integrations/rest';
const WS_PATH = '/epos/integrations/ws';
const GRPC_PATH = '/epos/integrations/grpc';
const EVENTS_PATH = '/epos/events';
const { basic } = REST_EPOS.auth;

const createRestBody = (url: unknown) => ({ ...REST_EPOS, url });
const createGrpcBody = (url: unknown) => ({ ...GRPC_EPOS, url });
const createBodyWithBasic = (more: object) => ({
  ...REST_EPOS,
  auth: { authType: 'basic', basic: { ...basic, ...more } },
});
const createBodyWithNames = (...names: unknown[]) => ({ capabilities: names.map((name) => ({ name, version: 'v1' })) });
const createBodyWithVersion = (version: unknown) => ({ capabilities: [{ name: 'ListAreas', version }] });
const buildNamePath = (place: number) => `capabilities[${place}].name`;

export const REFUSED_REGISTRATIONS: readonly RefusedRow[] = [
  ['nothing is sent', REST_PATH, {}, 'url'],
  ['no address', REST_PATH, createRestBody(undefined), 'url'],
  ['an address that is none', REST_PATH, createRestBody('epos.example'), 'url'],
  ['an address of another protocol', REST_PATH, createRestBody('ftp://epos.example'), 'url'],
  ['an address of a socket', REST_PATH, createRestBody('wss://epos.example'), 'url'],
  ['an address without TLS', REST_PATH, createRestBody('http://epos.example'), 'url'],
  ['an address without TLS on this machine', REST_PATH, createRestBody('http://127.0.0.1:9000'), 'url'],
  ['an address with credentials', REST_PATH, createRestBody('https://till:secret@epos.example'), 'url'],
  ['an address with a query', REST_PATH, createRestBody('https://epos.example/pos?till=1'), 'url'],
  ['an address with an empty query', REST_PATH, createRestBody('https://epos.example/pos?'), 'url'],
  ['an address with a fragment', REST_PATH, createRestBody('https://epos.example/pos#till'), 'url'],
  ['an address that is too long', REST_PATH, createRestBody(`https://epos.example/${'p'.repeat(2_048)}`), 'url'],
  ['an address that is a number', REST_PATH, createRestBody(7), 'url'],
  ['no credentials', REST_PATH, { ...REST_EPOS, auth: undefined }, 'auth'],
  ['credentials of another kind', REST_PATH, { ...REST_EPOS, auth: { authType: 'bearer', basic } }, 'auth.authType'],
  ['credentials without a pair', REST_PATH, { ...REST_EPOS, auth: { authType: 'basic' } }, 'auth.basic'],
  ['no user name', REST_PATH, createBodyWithBasic({ username: undefined }), 'auth.basic.username'],
  ['an empty user name', REST_PATH, createBodyWithBasic({ username: '' }), 'auth.basic.username'],
  ['a user name with a colon', REST_PATH, createBodyWithBasic({ username: 'till:1' }), 'auth.basic.username'],
  [
    'a user name that is too long',
    REST_PATH,
    createBodyWithBasic({ username: 'u'.repeat(256) }),
    'auth.basic.username',
  ],
  [
    'a card number for a user name',
    REST_PATH,
    createBodyWithBasic({ username: '4456 5300 0009 1014' }),
    'auth.basic.username',
  ],
  ['no password', REST_PATH, createBodyWithBasic({ password: undefined }), 'auth.basic.password'],
  ['an empty password', REST_PATH, createBodyWithBasic({ password: '' }), 'auth.basic.password'],
  ['a password that is too long', REST_PATH, createBodyWithBasic({ password: 'p'.repeat(256) }), 'auth.basic.password'],
  ['no list of capabilities', REST_PATH, { ...REST_EPOS, capabilities: undefined }, 'capabilities'],
  ['no list of capabilities for a socket', WS_PATH, {}, 'capabilities'],
  ['a list that is text', WS_PATH, { capabilities: 'ListAreas' }, 'capabilities'],
  ['names alone', WS_PATH, { capabilities: ['ListAreas'] }, 'capabilities[0]'],
  ['a capability without a name', WS_PATH, { capabilities: [{ version: 'v1' }] }, buildNamePath(0)],
  ['a capability that does not exist', WS_PATH, createBodyWithNames('ListAreas', 'OpenDrawer'), buildNamePath(1)],
  [
    'an event kind that is for webhooks only',
    WS_PATH,
    createBodyWithNames('HandleEvent:terminal_session.created'),
    buildNamePath(0),
  ],
  ['an event without its kind', WS_PATH, createBodyWithNames('HandleEvent'), buildNamePath(0)],
  ['a member that all objects have', WS_PATH, createBodyWithNames('constructor'), buildNamePath(0)],
  ['a capability twice', WS_PATH, createBodyWithNames('ListAreas', 'SearchTables', 'ListAreas'), buildNamePath(2)],
  ...Object.entries(CAPABILITY_SYNONYMS).flatMap(([synonym, name]): RefusedRow[] => [
    [`${name} under both of its names`, WS_PATH, createBodyWithNames(name, synonym), buildNamePath(1)],
  ]),
  [
    'a synonym twice',
    REST_PATH,
    { ...REST_EPOS, ...createBodyWithNames('GetOrderBill', 'GetOrderBill') },
    buildNamePath(1),
  ],
  ['no version', WS_PATH, createBodyWithVersion(undefined), 'capabilities[0].version'],
  ['another version', WS_PATH, createBodyWithVersion('v2'), 'capabilities[0].version'],
  ['a shorter spelling of the version', WS_PATH, createBodyWithVersion('1.0'), 'capabilities[0].version'],
  ['a version that is a number', WS_PATH, createBodyWithVersion(1), 'capabilities[0].version'],
  ['a gRPC address without TLS', GRPC_PATH, createGrpcBody('http://epos.example:50051'), 'url'],
  ['a gRPC address with a path', GRPC_PATH, createGrpcBody('https://epos.example:50051/tables'), 'url'],
  ['a gRPC address without credentials', GRPC_PATH, { url: GRPC_EPOS.url }, 'auth'],
];

export const REFUSED_EVENTS: readonly RefusedRow[] = [
  ['nothing is sent', EVENTS_PATH, {}, 'eventType'],
  ['an event of no kind', EVENTS_PATH, { event: { orderId: '118' } }, 'eventType'],
  ['an event of another kind', EVENTS_PATH, { eventType: 'OrderDeleted', event: { orderId: '118' } }, 'eventType'],
  ['an event without what it is about', EVENTS_PATH, { eventType: 'OrderUpdated' }, 'event'],
  ['an order without an id', EVENTS_PATH, { eventType: 'OrderUpdated', event: {} }, 'event.orderId'],
  ['an order with an empty id', EVENTS_PATH, { eventType: 'OrderUpdated', event: { orderId: '' } }, 'event.orderId'],
  [
    'an order with a very long id',
    EVENTS_PATH,
    { eventType: 'OrderUpdated', event: { orderId: '1'.repeat(201) } },
    'event.orderId',
  ],
  [
    'an order by the id of a party',
    EVENTS_PATH,
    { eventType: 'OrderUpdated', event: { partyId: '7' } },
    'event.orderId',
  ],
  [
    'a party by the id of an order',
    EVENTS_PATH,
    { eventType: 'PartyUpdated', event: { orderId: '118' } },
    'event.partyId',
  ],
  ['a reservation without an id', EVENTS_PATH, { eventType: 'ReservationUpdated', event: {} }, 'event.reservationId'],
  ['an event that is text', EVENTS_PATH, { eventType: 'PartyUpdated', event: 'P-7' }, 'event'],
];

/** Every capability name, each once. */
export const NAMES_TO_REGISTER: readonly string[] = [...EPOS_CAPABILITIES, ...Object.keys(CAPABILITY_SYNONYMS)];
