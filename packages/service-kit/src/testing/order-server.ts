import { request } from 'node:http';
import { Controller, Module } from '@nestjs/common';
import type { Permission } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { Operation } from '@pos/rest-contracts/operation';
import { Moment, MomentInput, PayableInput, text } from '@pos/rest-contracts/testing';
import { z } from 'zod';
import type { ApiKeyHolder } from '../request-checks/request-admission.js';
import { startHttpServer } from '../http/http-server.js';
import { createLog } from '../telemetry/log.js';
import { defineMemberCheck } from '../request-checks/member-checks.js';
import { StoredReply, Serve, type OperationCall } from '../http/operation-route.js';

// A small app with a few operations on a real socket, which the HTTP tests call.

const Order = z.object({ id: z.string(), status: z.enum(['Open', 'Closed']), createdAt: Moment });
const sharedOptions = {
  tag: 'Orders',
  permission: 'payments.write',
  version: 'required',
  idempotency: 'optional',
  refusals: [],
} as const;

export const createOrder = {
  ...sharedOptions,
  id: 'createOrder',
  method: 'POST',
  path: '/orders',
  summary: 'Create an order',
  body: z.object({
    reference: text({ min: 1, max: 10 }),
    amount: PayableInput,
    kind: z.enum(['Table', 'Delivery']).default('Table'),
    dueAt: MomentInput.optional(),
  }),
  returns: Order,
  refusals: ['payment_intent_busy'],
  movesMoney: true,
} as const satisfies Operation;

const searchOrders = {
  ...sharedOptions,
  id: 'searchOrders',
  method: 'POST',
  path: '/orders/search',
  summary: 'Search orders',
  returns: z.array(Order),
} as const satisfies Operation;

export const readOrder = {
  ...sharedOptions,
  id: 'readOrder',
  method: 'GET',
  path: '/orders/{orderId}',
  summary: 'Read an order',
  permission: 'payments.read',
  idempotency: 'none',
  params: z.object({ orderId: z.string() }),
  query: z.object({ returnClosed: z.boolean().default(false) }),
  returns: Order,
  refusals: ['payment_intent_not_found'],
} as const satisfies Operation;

const deleteOrder = {
  ...sharedOptions,
  id: 'deleteOrder',
  method: 'DELETE',
  path: '/orders/{orderId}',
  summary: 'Delete an order',
  params: z.object({ orderId: z.string() }),
  returns: null,
} as const satisfies Operation;

const refundOrder = {
  ...sharedOptions,
  id: 'refundOrder',
  method: 'POST',
  path: '/orders/{orderId}/refunds',
  summary: 'Refund an order',
  permission: 'payments.refund',
  idempotency: 'required',
  params: z.object({ orderId: z.string() }),
  returns: Order,
} as const satisfies Operation;

const listMachines = {
  ...sharedOptions,
  id: 'listMachines',
  method: 'GET',
  path: '/machines',
  summary: 'List machines',
  permission: 'terminals.read',
  idempotency: 'none',
  partnerHeaders: true,
  problemsCarryCode: true,
  query: z.object({ statuses: z.array(z.enum(['Available', 'Offline'])).default([]) }),
  returns: z.array(z.string()),
  refusals: ['terminal_unavailable'],
} as const satisfies Operation;

const readPublic = {
  ...sharedOptions,
  id: 'readPublic',
  method: 'GET',
  path: '/public/{orderId}',
  summary: 'Read what a payer may see',
  permission: null,
  version: 'optional',
  idempotency: 'none',
  crossOrigin: true,
  params: z.object({ orderId: z.string() }),
  returns: z.uuid(),
} as const satisfies Operation;

const moveTestClock = {
  ...sharedOptions,
  id: 'moveClock',
  method: 'POST',
  path: '/sandbox/clock',
  summary: 'Move the clock',
  permission: 'any',
  sandboxOnly: 'path_unknown',
  version: 'optional',
  returns: null,
} as const satisfies Operation;

export const TEST_OPERATIONS: readonly Operation[] = [
  createOrder,
  searchOrders,
  readOrder,
  deleteOrder,
  refundOrder,
  listMachines,
  readPublic,
  moveTestClock,
];

export const TEST_ORDER = { id: 'o-1', status: 'Open', createdAt: '2026-03-01T12:00:00.000Z' } as const;
export const RUN_ID = '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f';

/** The calls that reached the use case, in order. */
const RECEIVED_CALLS: unknown[] = [];

@Controller()
class OrdersController {
  @Serve(createOrder)
  async create({ body, idempotency, caller }: OperationCall<typeof createOrder>) {
    RECEIVED_CALLS.push({ body, idempotency, software: caller.softwareHouseId });
    switch (body.reference) {
      case 'busy':
        throw new Refusal('payment_intent_busy', 'An attempt is running.');
      case 'hole':
        throw new Refusal('terminal_not_found', 'Nobody declared this.');
      case 'boom':
        throw new Error('password=hunter2 in SELECT * FROM keys');
      case 'down':
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      case 'unknown':
        throw Object.assign(new Error('lost'), { name: 'CommitUnknown' });
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, 150));
        return TEST_ORDER;
      case 'extra':
        return { ...TEST_ORDER, secret: 'not listed' };
      case 'wrong':
        return { ...TEST_ORDER, createdAt: 'yesterday' };
      case 'stored':
        return new StoredReply({ status: 200, body: JSON.stringify(TEST_ORDER) }, false);
      default:
        return TEST_ORDER;
    }
  }

  @Serve(searchOrders)
  async search() {
    return [TEST_ORDER];
  }

  @Serve(readOrder)
  async read({ params, query }: OperationCall<typeof readOrder>) {
    if (params.orderId === 'gone') throw new Refusal('payment_intent_not_found', 'There is no such order.');
    return { ...TEST_ORDER, id: params.orderId, status: query.returnClosed ? ('Closed' as const) : ('Open' as const) };
  }

  @Serve(deleteOrder)
  async remove() {
    return undefined;
  }

  @Serve(refundOrder)
  async refund() {
    return TEST_ORDER;
  }

  @Serve(listMachines)
  async machines({ query }: OperationCall<typeof listMachines>) {
    if (query.statuses.includes('Offline')) throw new Refusal('terminal_unavailable', 'The machine is away.');
    return query.statuses;
  }

  @Serve(readPublic)
  async readPublic() {
    return RUN_ID;
  }

  @Serve(moveTestClock)
  async move() {
    return undefined;
  }
}

@Module({ controllers: [OrdersController] })
export class OrdersModule {}

const TEST_KEYS: Readonly<Record<string, ApiKeyHolder>> = {
  full: createHolder('sandbox', ['payments.read', 'payments.write', 'payments.refund', 'terminals.read']),
  reader: createHolder('sandbox', ['payments.read']),
  production: createHolder('production', ['payments.read', 'payments.write']),
};

function createHolder(environment: 'sandbox' | 'production', permissions: readonly Permission[]): ApiKeyHolder {
  return {
    scope: { accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA', environment },
    keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA',
    permissions: new Set(permissions),
  };
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const VALID_HEADERS = { authorization: 'Basic full', version: '2026-02-27', 'content-type': 'application/json' };
export const VALID_BODY = { reference: 'table 4', amount: { value: 1250, currencyCode: 'GBP' } };
export const PROBLEM_MEMBERS: readonly string[] = [
  ...['type', 'title', 'status', 'detail', 'traceId', 'errors', 'reason', 'documentation'],
];

/** Starts the app, and returns everything that a test inspects. */
export async function startOrderServer({ shutdown }: { readonly shutdown?: AbortSignal } = {}) {
  const lines: Record<string, unknown>[] = [];
  const state = { isDatabaseUp: true };
  const checked: unknown[] = [];
  const httpServer = await startHttpServer({
    module: OrdersModule,
    port: 0,
    host: '127.0.0.1',
    operations: TEST_OPERATIONS,
    checks: {
      authenticate: async (keyText) => {
        if (keyText === 'outage') throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        return TEST_KEYS[keyText] ?? null;
      },
      findStoredAnswer: async (_, { key, fingerprintInput }) => {
        if (key !== 'used') return null;
        if (fingerprintInput.includes('other'))
          throw new Refusal('idempotency_key_reused', 'The key had another body.');
        return { status: 200, body: '{"id":"o-9","status":"Closed","createdAt":"2026-03-01T12:00:00.000Z"}' };
      },
      memberChecks: new Map([
        defineMemberCheck(createOrder, (_, body) => {
          checked.push(body);
          if (body.amount?.currencyCode !== 'XTS') return;
          throw createViolation('validation_failed', 'amount.currencyCode', 'Is not enabled.');
        }),
      ]),
    },
    ready: [
      {
        name: 'database',
        check: async () => {
          if (!state.isDatabaseUp) throw new Error('down');
        },
      },
    ],
    log: createLog({
      app: 'test',
      level: 'debug',
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    }),
    release: '1.2.3-test',
    openapi: { title: 'Orders', description: 'A test.' },
    checksContract: true,
    ...(shutdown !== undefined && { shutdown }),
  });
  const send = (method: string, path: string, sent: TestRequest = {}): Promise<TestResponse> =>
    sendRawRequest(`${httpServer.url}${path}`, method, sent);
  return {
    url: httpServer.url,
    close: httpServer.close,
    lines,
    world: state,
    seen: RECEIVED_CALLS,
    /** The bodies whose members were checked beyond their shape. */
    checked,
    /** Sends exactly the given request, with valid headers by default. */
    send,
    create: (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
      send('POST', '/orders', { headers: { ...VALID_HEADERS, ...headers }, body: JSON.stringify(body) }),
  };
}

function sendRawRequest(
  url: string,
  method: string,
  { headers = VALID_HEADERS, body }: TestRequest,
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const responseText = Buffer.concat(chunks).toString();
        const isJson = incoming.headers['content-type']?.includes('json') === true && responseText !== '';
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers as Record<string, string>,
          text: responseText,
          body: isJson ? (JSON.parse(responseText) as Record<string, unknown>) : {},
        });
      });
    });
    outgoing.end(body);
  });
}
