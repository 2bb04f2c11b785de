import { CAPABILITY_SYNONYMS, EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { GRPC_EPOS, REST_EPOS } from './testing.js';

/** What is wrong, where it is sent, and the member that is named. */
export type RefusedRow = readonly [what: string, path: string, body: unknown, member: string];

const REST = '/epos/integrations/rest';
const WS = '/epos/integrations/ws';
const GRPC = '/epos/integrations/grpc';
const EVENTS = '/epos/events';
const { basic } = REST_EPOS.auth;

const withUrl = (url: unknown) => ({ ...REST_EPOS, url });
const withGrpcUrl = (url: unknown) => ({ ...GRPC_EPOS, url });
const withBasic = (more: object) => ({ ...REST_EPOS, auth: { authType: 'basic', basic: { ...basic, ...more } } });
const withNames = (...names: unknown[]) => ({ capabilities: names.map((name) => ({ name, version: 'v1' })) });
const withVersion = (version: unknown) => ({ capabilities: [{ name: 'ListAreas', version }] });
const nameOf = (place: number) => `capabilities[${place}].name`;

export const REFUSED_REGISTRATIONS: readonly RefusedRow[] = [
  ['nothing is sent', REST, {}, 'url'],
  ['no address', REST, withUrl(undefined), 'url'],
  ['an address that is none', REST, withUrl('epos.example'), 'url'],
  ['an address of another protocol', REST, withUrl('ftp://epos.example'), 'url'],
  ['an address of a socket', REST, withUrl('wss://epos.example'), 'url'],
  ['an address without TLS', REST, withUrl('http://epos.example'), 'url'],
  ['an address without TLS on this machine', REST, withUrl('http://127.0.0.1:9000'), 'url'],
  ['an address with credentials', REST, withUrl('https://till:secret@epos.example'), 'url'],
  ['an address with a query', REST, withUrl('https://epos.example/pos?till=1'), 'url'],
  ['an address with an empty query', REST, withUrl('https://epos.example/pos?'), 'url'],
  ['an address with a fragment', REST, withUrl('https://epos.example/pos#till'), 'url'],
  ['an address that is too long', REST, withUrl(`https://epos.example/${'p'.repeat(2_048)}`), 'url'],
  ['an address that is a number', REST, withUrl(7), 'url'],
  ['no credentials', REST, { ...REST_EPOS, auth: undefined }, 'auth'],
  ['credentials of another kind', REST, { ...REST_EPOS, auth: { authType: 'bearer', basic } }, 'auth.authType'],
  ['credentials without a pair', REST, { ...REST_EPOS, auth: { authType: 'basic' } }, 'auth.basic'],
  ['no user name', REST, withBasic({ username: undefined }), 'auth.basic.username'],
  ['an empty user name', REST, withBasic({ username: '' }), 'auth.basic.username'],
  ['a user name with a colon', REST, withBasic({ username: 'till:1' }), 'auth.basic.username'],
  ['a user name that is too long', REST, withBasic({ username: 'u'.repeat(256) }), 'auth.basic.username'],
  ['a card number for a user name', REST, withBasic({ username: '4456 5300 0009 1014' }), 'auth.basic.username'],
  ['no password', REST, withBasic({ password: undefined }), 'auth.basic.password'],
  ['an empty password', REST, withBasic({ password: '' }), 'auth.basic.password'],
  ['a password that is too long', REST, withBasic({ password: 'p'.repeat(256) }), 'auth.basic.password'],
  ['no list of capabilities', REST, { ...REST_EPOS, capabilities: undefined }, 'capabilities'],
  ['no list of capabilities for a socket', WS, {}, 'capabilities'],
  ['a list that is text', WS, { capabilities: 'ListAreas' }, 'capabilities'],
  ['names alone', WS, { capabilities: ['ListAreas'] }, 'capabilities[0]'],
  ['a capability without a name', WS, { capabilities: [{ version: 'v1' }] }, nameOf(0)],
  ['a capability that does not exist', WS, withNames('ListAreas', 'OpenDrawer'), nameOf(1)],
  ['an event kind that is for webhooks only', WS, withNames('HandleEvent:terminal_session.created'), nameOf(0)],
  ['an event without its kind', WS, withNames('HandleEvent'), nameOf(0)],
  ['a member that all objects have', WS, withNames('constructor'), nameOf(0)],
  ['a capability twice', WS, withNames('ListAreas', 'SearchTables', 'ListAreas'), nameOf(2)],
  ...Object.entries(CAPABILITY_SYNONYMS).flatMap(([synonym, name]): RefusedRow[] => [
    [`${name} under both of its names`, WS, withNames(name, synonym), nameOf(1)],
  ]),
  ['a synonym twice', REST, { ...REST_EPOS, ...withNames('GetOrderBill', 'GetOrderBill') }, nameOf(1)],
  ['no version', WS, withVersion(undefined), 'capabilities[0].version'],
  ['another version', WS, withVersion('v2'), 'capabilities[0].version'],
  ['a shorter spelling of the version', WS, withVersion('1.0'), 'capabilities[0].version'],
  ['a version that is a number', WS, withVersion(1), 'capabilities[0].version'],
  ['a gRPC address without TLS', GRPC, withGrpcUrl('http://epos.example:50051'), 'url'],
  ['a gRPC address with a path', GRPC, withGrpcUrl('https://epos.example:50051/tables'), 'url'],
  ['a gRPC address without credentials', GRPC, { url: GRPC_EPOS.url }, 'auth'],
];

export const REFUSED_EVENTS: readonly RefusedRow[] = [
  ['nothing is sent', EVENTS, {}, 'eventType'],
  ['an event of no kind', EVENTS, { event: { orderId: '118' } }, 'eventType'],
  ['an event of another kind', EVENTS, { eventType: 'OrderDeleted', event: { orderId: '118' } }, 'eventType'],
  ['an event without what it is about', EVENTS, { eventType: 'OrderUpdated' }, 'event'],
  ['an order without an id', EVENTS, { eventType: 'OrderUpdated', event: {} }, 'event.orderId'],
  ['an order with an empty id', EVENTS, { eventType: 'OrderUpdated', event: { orderId: '' } }, 'event.orderId'],
  [
    'an order with a very long id',
    EVENTS,
    { eventType: 'OrderUpdated', event: { orderId: '1'.repeat(201) } },
    'event.orderId',
  ],
  ['an order by the id of a party', EVENTS, { eventType: 'OrderUpdated', event: { partyId: '7' } }, 'event.orderId'],
  ['a party by the id of an order', EVENTS, { eventType: 'PartyUpdated', event: { orderId: '118' } }, 'event.partyId'],
  ['a reservation without an id', EVENTS, { eventType: 'ReservationUpdated', event: {} }, 'event.reservationId'],
  ['an event that is text', EVENTS, { eventType: 'PartyUpdated', event: 'P-7' }, 'event'],
];

/** Every name, each capability once. */
export const NAMES_TO_REGISTER: readonly string[] = [...EPOS_CAPABILITIES, ...Object.keys(CAPABILITY_SYNONYMS)];
