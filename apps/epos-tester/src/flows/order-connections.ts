import type { EposCapability } from '@pos/core/tables';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import type { EposCursor } from '@pos/rest-contracts/epos-data';
import { setTimeout as pause } from 'node:timers/promises';
import { callData, listCapabilities, getData, requireCapabilities } from '../flow-context/data-calls.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { createLock, unlockOrder, usesLocks } from '../steps/order-locking.js';
import { findOrder } from '../steps/order-steps.js';
import { listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { lockFromOtherDevice } from './order-locks.js';

const ALL_LIMIT = 100;
const PAGES_MAX = 20;
const POLL_INTERVAL_MS = 100;
const RECONNECT_MS = 60_000;
/** Longer than an EPOS may stay disconnected. */
const LOCK_MS = 4 * 60_000;

interface Page {
  readonly data: readonly { readonly id?: string | undefined }[];
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

type OrderSearchCase = (context: StepContext, cursor: EposCursor) => Promise<Page>;

const SEARCHES: readonly { readonly capability: EposCapability; readonly search: OrderSearchCase }[] = [
  { capability: 'SearchOrders', search: (context, cursor) => getData(context, 'SearchOrders', { params: { cursor } }) },
  { capability: 'SearchTables', search: (context, cursor) => getData(context, 'SearchTables', { params: { cursor } }) },
  {
    capability: 'SearchParties',
    search: (context, cursor) => getData(context, 'SearchParties', { params: { cursor } }),
  },
  {
    capability: 'SearchReservations',
    search: (context, cursor) => getData(context, 'SearchReservations', { params: { cursor } }),
  },
];

/** One search, page by page with one element each, as far as the service would read. */
function readPages({ capability, search }: (typeof SEARCHES)[number]): FlowStep {
  return {
    name: capability,
    act: async (context) => {
      const { step } = context;
      if (!(await listCapabilities(context)).has(capability)) {
        step.note(`${capability} is not registered`);
        return;
      }
      const { data: all } = await search(context, { limit: ALL_LIMIT });
      const expected = all.slice(0, PAGES_MAX).map(({ id = '' }) => id);
      const found: string[] = [];
      let cursor: EposCursor = { limit: 1 };
      let last: Page = { data: [] };
      while (found.length < expected.length) {
        const page = await search(context, cursor);
        const [only] = page.data;
        step.require(page.data.length === 1 && only !== undefined, {
          ...{ clause: 'pages.limit', member: 'data', expected: '1 element', found: `${page.data.length} elements` },
        });
        found.push(only?.id ?? '');
        last = page;
        if (typeof page.after !== 'string') break;
        cursor = { limit: 1, after: page.after };
      }
      step.check(found.join() === expected.join(), {
        ...{ clause: 'pages.once', member: 'data', expected: expected.join(), found: found.join() },
      });
      if (found.length > 1) await checkWayBack(context, { search, last, before: found.at(-2) ?? '' });
    },
  };
}

async function checkWayBack(
  context: StepContext,
  { search, last, before }: { readonly search: OrderSearchCase; readonly last: Page; readonly before: string },
): Promise<void> {
  const { step } = context;
  const finding = { clause: 'pages.back', member: 'before', expected: before } as const;
  if (typeof last.before !== 'string') {
    step.check(false, { ...finding, found: undefined });
    return;
  }
  const { data } = await search(context, { limit: 1, before: last.before });
  const found = data.map(({ id = '' }) => id).join();
  step.check(found === before, { ...finding, found });
}

const wrongPassword: FlowStep = {
  name: 'wrong password',
  act: async (context) => {
    const received = await callData(context, 'SearchOrders', {
      params: { cursor: { limit: 1 } },
      faults: { wrongPassword: true },
      transport: Transport.TRANSPORT_EPOS_DATA_REST,
    });
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    context.step.check(found === 'credentialsRefused', {
      ...{ clause: 'credentials.checked', member: 'SearchOrders', expected: 'HTTP status 401', found },
    });
  },
};

const requireRegistered: FlowStep = {
  name: 'registered',
  act: async ({ flowContext, step }) => {
    const { registration, scope } = flowContext.parts;
    const capabilities = await registration.capabilities(scope, 'rest');
    step.require(capabilities.has('SearchOrders'), {
      ...{ clause: 'capability.registered', member: 'SearchOrders', expected: 'to be registered for rest' },
      found: undefined,
    });
  },
};

/** Where locks are registered, an order is locked before its socket is closed. */
const lockBefore: FlowStep = {
  name: 'lock',
  act: async (context) => {
    if (!(await usesLocks(context))) {
      context.step.note('locks are not registered, so none has to outlive the socket');
      return;
    }
    await findOrder(context);
    await createLock(context, LOCK_MS);
  },
};

const stillLocked: FlowStep = {
  name: 'second lock',
  act: async (context) => {
    if (context.flowContext.orders.lockId !== null) await lockFromOtherDevice('order-lock.exclusive').act(context);
  },
};

const unlockAgain: FlowStep = {
  name: 'unlock',
  act: async (context) => {
    if (context.flowContext.orders.lockId !== null) await unlockOrder.act(context);
  },
};

/** The sockets that the EPOS had open before its socket was closed. */
const reconnectSteps = (): readonly [FlowStep, ...FlowStep[]] => {
  const before = new Set<string>();
  return [
    {
      name: 'connected',
      act: async (context) => {
        for (const id of await openSockets(context)) before.add(id);
        const expected = 'a socket at /epos';
        context.step.require(before.size > 0, { clause: 'connection.live', member: 'ws', expected, found: undefined });
      },
    },
    lockBefore,
    {
      name: 'close',
      act: async (context) => {
        await callData(context, 'SearchOrders', {
          params: { cursor: { limit: 1 } },
          faults: { closeSocket: true },
          transport: Transport.TRANSPORT_EPOS_DATA_WEBSOCKET,
        });
        // A read is retried, so the socket may have been closed more than once.
      },
    },
    {
      name: 'connected again',
      waitsMs: () => RECONNECT_MS,
      act: async (context) => {
        const endsAt = performance.now() + RECONNECT_MS;
        for (;;) {
          const isBack = (await openSockets(context)).some((id) => !before.has(id));
          if (isBack) return;
          const finding = { member: 'ws', expected: `a new socket within ${RECONNECT_MS / 1000} seconds` };
          context.step.require(performance.now() < endsAt, {
            clause: 'connection.again',
            ...finding,
            found: undefined,
          });
          await pause(POLL_INTERVAL_MS, undefined, { signal: context.step.signal });
        }
      },
    },
    {
      name: 'call',
      act: async (context) => {
        const transport = Transport.TRANSPORT_EPOS_DATA_WEBSOCKET;
        const params = { cursor: { limit: 1 } };
        await getData(context, 'SearchOrders', { params, transport, clause: 'connection.again' });
      },
    },
    ...[stillLocked, unlockAgain],
  ];
};

async function openSockets({ flowContext }: StepContext): Promise<string[]> {
  const connections = await flowContext.parts.driver.connections(flowContext.parts.scope).catch(() => []);
  const sockets = connections.filter(({ transport }) => transport === Transport.TRANSPORT_EPOS_DATA_WEBSOCKET);
  return sockets.map(({ connectionId }) => connectionId);
}

const needsSearch: FlowStep = {
  name: 'registered',
  act: (context) => requireCapabilities(context, 'SearchOrders'),
};

/** Pages, passwords and sockets. */
export const ORDER_CONNECTION_FLOWS: readonly Flow[] = [
  {
    name: 'pagination',
    params: listParameters(),
    needs: ['SearchOrders'],
    steps: () => [needsSearch, ...SEARCHES.map(readPages)],
  },
  {
    name: 'bad-credentials',
    params: listParameters(),
    needs: ['SearchOrders'],
    steps: () => [requireRegistered, wrongPassword],
  },
  { name: 'reconnect', params: listParameters(), needs: ['SearchOrders'], steps: reconnectSteps },
];
