import { randomUUID } from 'node:crypto';
import { type RefusalCode, requireValue } from '@pos/core/refusals';
import { parseKnownId, type Scope } from '@pos/core/identity';
import { DAY_MS } from '@pos/core/time';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { putDepositClaim } from '@pos/store/tables';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import { type ApiTestEnvironment, GBP_20, parseJson } from './api-test-environment.js';
import type { TestEposGateway } from './epos/test-epos-gateway.js';

export const RESERVATIONS_PATH = '/epos/reservations';
export const PARTIES_PATH = '/epos/parties';

/** A reservation, on a day of its own: a table has one reservation at a time. */
export function createReservationBody(day = 1, more: object = {}) {
  const startTime = new Date(Date.UTC(2030, 0, day, 19)).toISOString();
  const endTime = new Date(Date.UTC(2030, 0, day, 21)).toISOString();
  return { name: 'Ada', covers: 2, startTime, endTime, tableIds: ['t-1'], ...more };
}

export function createPartyBody(more: object = {}) {
  return { tableIds: ['t-U3'], startTime: '2030-01-01T19:00:00.000Z', covers: 2, name: 'Ada', ...more };
}

/** An account whose restaurant takes bookings. */
export interface BookingAccount {
  readonly scope: Scope;
  readonly key: string;
  readonly epos: EposSimulator;
}

type EnvironmentGetter = () => ApiTestEnvironment;

/** Creates the accepted and the refused requests of bookings. Each has an account of its own, so that no table is taken. */
export class BookingRequests {
  constructor(
    private readonly testEnvironment: EnvironmentGetter,
    private readonly gateway: () => TestEposGateway,
  ) {}

  async createAccount(capabilities: readonly EposCapability[] = EPOS_CAPABILITIES): Promise<BookingAccount> {
    const account = await this.testEnvironment().createAccount();
    const epos = await this.gateway().openRestaurant(this.testEnvironment(), account.scope, capabilities);
    return { ...account, epos };
  }

  createReservation(account: Pick<BookingAccount, 'key'>): Promise<string> {
    return this.#create(RESERVATIONS_PATH, account, createReservationBody());
  }

  createParty(account: Pick<BookingAccount, 'key'>): Promise<string> {
    return this.#create(PARTIES_PATH, account, createPartyBody());
  }

  /** An accepted request for each operation. */
  createAccepted(): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
    const ids = Object.keys(REQUESTS);
    return Object.fromEntries(ids.map((id) => [id, async () => this.#accept(id, await this.createAccount())]));
  }

  /** The refusals that each operation declares for itself. */
  createRefusals(): readonly RefusalCase[] {
    const ids = Object.keys(REQUESTS);
    const changes = ids.filter((id) => /^(create|update|delete)/.test(id));
    const all = (code: RefusalCode, operations: readonly string[], prepare: (account: BookingAccount) => unknown) =>
      operations.map((id): RefusalCase => [id, code, [], () => this.#acceptAfter(id, prepare)]);
    return [
      ...all('epos_cannot_book', ids, ({ scope }) => this.gateway().register(this.testEnvironment(), scope, [])),
      ...all('epos_unreachable', ids, ({ epos }) => {
        epos.findProxyStatus = () => 401;
      }),
      ...all('epos_unanswered', ids, ({ epos }) => epos.faults.replaceFaults([{ effect: 'internal-error' }])),
      ...all('booking_refused', changes, ({ epos }) =>
        epos.faults.replaceFaults([{ effect: 'refuse', code: 'Conflict' }]),
      ),
      ...this.#listNotFound('Reservation', RESERVATIONS_PATH, createReservationBody()),
      ...this.#listNotFound('Party', PARTIES_PATH, createPartyBody({ status: 'Left' })),
      ...['createParty', 'updateParty'].map((id): RefusalCase => [
        id,
        'payment_intent_unknown',
        ['deposit.paymentIntentIds'],
        async () => withDeposit(await this.#accept(id, await this.createAccount()), UNKNOWN_INTENT),
      ]),
      ...['createParty', 'updateParty'].map((id): RefusalCase => [
        id,
        'payment_intent_is_deposit',
        [],
        async () => {
          const account = await this.createAccount();
          const { id: intentId } = await this.testEnvironment().createIntent({}, account.key);
          return withDeposit(await this.#accept(id, account), await this.#claim(intentId, account.scope));
        },
      ]),
      ...this.#listReturnRefusals(),
    ];
  }

  /** Money that is the deposit of a party is not returned. */
  #listReturnRefusals(): RefusalCase[] {
    const code = 'payment_intent_is_deposit';
    const claim = async () => this.#claim(await this.testEnvironment().createIntentIn('Captured'));
    const open = async (path: string, body?: object) =>
      createRequest(`/payment-intents/${await claim()}/${path}`, body);
    return [
      ['refundPaymentIntent', code, [], () => open('refunds', { amount: 1 })],
      ['reversePaymentIntent', code, [], () => open('reversal')],
      [
        'createTerminalSession',
        code,
        [],
        async () => {
          const matchedRefund = { paymentIntentId: await claim() };
          const terminalId = await this.testEnvironment().createTerminal();
          const details = { sessionType: 'MatchedRefund', matchedRefund };
          return createRequest('/terminal-sessions', { terminalId, details });
        },
      ],
    ];
  }

  /** Makes a payment the deposit of a party, and returns its id. */
  async #claim(id: string, scope: Scope = this.testEnvironment().sandbox): Promise<string> {
    const { testDatabase } = this.testEnvironment();
    await testDatabase.database.transact(scope, async (tx) => {
      const heldUntil = new Date(tx.now.getTime() + DAY_MS);
      const intentId = parseKnownId('paymentIntent', id);
      const claim = { intentId, serviceId: 'a party', amount: GBP_20, heldUntil, startsAt: tx.now };
      await putDepositClaim(tx, claim, heldUntil);
    });
    return id;
  }

  async #accept(id: string, account: BookingAccount): Promise<AcceptedRequest> {
    const { path, bookings, ...request } = requireValue(REQUESTS[id], id);
    const booking = bookings === undefined ? '' : `/${await this[`create${bookings}`](account)}`;
    return { path: `${path}${booking}`, key: account.key, ...request };
  }

  async #acceptAfter(id: string, prepare: (account: BookingAccount) => unknown): Promise<AcceptedRequest> {
    const account = await this.createAccount();
    const request = await this.#accept(id, account);
    await prepare(account);
    return request;
  }

  #listNotFound(kind: 'Reservation' | 'Party', path: string, body: object): RefusalCase[] {
    const code = kind === 'Reservation' ? 'reservation_not_found' : 'party_not_found';
    return ['x', '%00', encodeURIComponent("' or 1=1 --")].flatMap((booking) =>
      ['get', 'update', 'delete'].map((verb): RefusalCase => [
        `${verb}${kind}`,
        code,
        [],
        async () => ({
          ...{ path: `${path}/${booking}`, key: (await this.createAccount()).key },
          ...(verb === 'update' && { body }),
        }),
      ]),
    );
  }

  async #create(path: string, { key }: Pick<BookingAccount, 'key'>, body: object): Promise<string> {
    return (parseJson(await this.testEnvironment().sendRequest('POST', path, { key, body })) as { id: string }).id;
  }
}

function withDeposit(request: AcceptedRequest, intentId: string): AcceptedRequest {
  const deposit = { totalAmount: GBP_20, paymentIntentIds: [intentId] };
  return { ...request, headers: { idempotencyKey: randomUUID() }, body: { ...(request.body as object), deposit } };
}

const WRONG_PAGE = { query: '?limit=101' };

/** The request of each operation; `bookings`: what exists before it, and is named in its path. */
const REQUESTS: Readonly<Record<string, AcceptedRequest & { readonly bookings?: 'Reservation' | 'Party' }>> = {
  listReservations: { path: RESERVATIONS_PATH, invalid: WRONG_PAGE },
  getReservation: { path: RESERVATIONS_PATH, bookings: 'Reservation' },
  createReservation: {
    ...{ path: RESERVATIONS_PATH, body: createReservationBody() },
    invalid: { body: createReservationBody(1, { covers: -1 }) },
  },
  updateReservation: {
    ...{ path: RESERVATIONS_PATH, bookings: 'Reservation', body: createReservationBody(2) },
    invalid: { body: createReservationBody(1, { tableIds: [] }) },
  },
  deleteReservation: { path: RESERVATIONS_PATH, bookings: 'Reservation' },
  listParties: { path: PARTIES_PATH, invalid: WRONG_PAGE },
  getParty: { path: PARTIES_PATH, bookings: 'Party' },
  createParty: { path: PARTIES_PATH, body: createPartyBody(), invalid: { body: createPartyBody({ status: '' }) } },
  updateParty: {
    ...{ path: PARTIES_PATH, bookings: 'Party', body: createPartyBody({ status: 'Ordering' }) },
    invalid: { body: createPartyBody() },
  },
  deleteParty: { path: PARTIES_PATH, bookings: 'Party' },
  listAreas: { path: '/epos/areas' },
  listTables: { path: '/epos/tables', invalid: WRONG_PAGE },
};
