import type { EposCapability } from '@pos/core/tables/epos-capability';
import { Transport } from '@pos/grpc-contracts/gateway-internal';
import type { EposCursor } from '@pos/rest-contracts/epos-data/epos-data-shapes';
import { setTimeout as pause } from 'node:timers/promises';
import { callData, listCapabilities, getData, requireCapabilities } from '../scene/data-asking.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { createLock, unlockOrder, usesLocks } from '../steps/order-locking.js';
import { findOrder } from '../steps/order-steps.js';
import { listParameters } from '../scene/run-params.js';
import type { TesterStage } from '../scene/scene.js';
import { lockFromOtherDevice } from './order-locks.js';

const ALL_LIMIT = 100;
const PAGES_MAX = 20;
const LOOK_EVERY_MS = 100;
const RECONNECT_MS = 60_000;
/** Longer than an EPOS may stay disconnected. */
const LOCK_MS = 4 * 60_000;

interface Page {
  readonly data: readonly { readonly id?: string | undefined }[];
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

type OrderSearchCase = (stage: TesterStage, cursor: EposCursor) => Promise<Page>;

const SEARCHES: readonly { readonly capability: EposCapability; readonly search: OrderSearchCase }[] = [
  { capability: 'SearchOrders', search: (stage, cursor) => getData(stage, 'SearchOrders', { params: { cursor } }) },
  { capability: 'SearchTables', search: (stage, cursor) => getData(stage, 'SearchTables', { params: { cursor } }) },
  { capability: 'SearchParties', search: (stage, cursor) => getData(stage, 'SearchParties', { params: { cursor } }) },
  {
    capability: 'SearchReservations',
    search: (stage, cursor) => getData(stage, 'SearchReservations', { params: { cursor } }),
  },
];

/** One search, page by page with one element each, as far as the service would read. */
function readPages({ capability, search }: (typeof SEARCHES)[number]): FlowStep {
  return {
    name: capability,
    act: async (stage) => {
      const { step } = stage;
      if (!(await listCapabilities(stage)).has(capability)) {
        step.note(`${capability} is not registered`);
        return;
      }
      const { data: all } = await search(stage, { limit: ALL_LIMIT });
      const expected = all.slice(0, PAGES_MAX).map(({ id = '' }) => id);
      const found: string[] = [];
      let cursor: EposCursor = { limit: 1 };
      let last: Page = { data: [] };
      while (found.length < expected.length) {
        const page = await search(stage, cursor);
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
      if (found.length > 1) await checkWayBack(stage, { search, last, before: found.at(-2) ?? '' });
    },
  };
}

async function checkWayBack(
  stage: TesterStage,
  { search, last, before }: { readonly search: OrderSearchCase; readonly last: Page; readonly before: string },
): Promise<void> {
  const { step } = stage;
  const finding = { clause: 'pages.back', member: 'before', expected: before } as const;
  if (typeof last.before !== 'string') {
    step.check(false, { ...finding, found: undefined });
    return;
  }
  const { data } = await search(stage, { limit: 1, before: last.before });
  const found = data.map(({ id = '' }) => id).join();
  step.check(found === before, { ...finding, found });
}

const wrongPassword: FlowStep = {
  name: 'wrong password',
  act: async (stage) => {
    const received = await callData(stage, 'SearchOrders', {
      params: { cursor: { limit: 1 } },
      faults: { wrongPassword: true },
      transport: Transport.TRANSPORT_EPOS_DATA_REST,
    });
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    stage.step.check(found === 'credentialsRefused', {
      ...{ clause: 'credentials.checked', member: 'SearchOrders', expected: 'HTTP status 401', found },
    });
  },
};

const requireRegistered: FlowStep = {
  name: 'registered',
  act: async ({ scene, step }) => {
    const { register, scope } = scene.parts;
    const capabilities = await register.capabilities(scope, 'rest');
    step.require(capabilities.has('SearchOrders'), {
      ...{ clause: 'capability.registered', member: 'SearchOrders', expected: 'to be registered for rest' },
      found: undefined,
    });
  },
};

/** Where locks are registered, an order is locked before its socket is closed. */
const lockBefore: FlowStep = {
  name: 'lock',
  act: async (stage) => {
    if (!(await usesLocks(stage))) {
      stage.step.note('locks are not registered, so none has to outlive the socket');
      return;
    }
    await findOrder(stage);
    await createLock(stage, LOCK_MS);
  },
};

const stillLocked: FlowStep = {
  name: 'second lock',
  act: async (stage) => {
    if (stage.scene.orders.lockId !== null) await lockFromOtherDevice('order-lock.exclusive').act(stage);
  },
};

const unlockAgain: FlowStep = {
  name: 'unlock',
  act: async (stage) => {
    if (stage.scene.orders.lockId !== null) await unlockOrder.act(stage);
  },
};

/** The sockets that the EPOS had open before its socket was closed. */
const reconnectSteps = (): readonly [FlowStep, ...FlowStep[]] => {
  const before = new Set<string>();
  return [
    {
      name: 'connected',
      act: async (stage) => {
        for (const id of await openSockets(stage)) before.add(id);
        const expected = 'a socket at /epos';
        stage.step.require(before.size > 0, { clause: 'connection.live', member: 'ws', expected, found: undefined });
      },
    },
    lockBefore,
    {
      name: 'close',
      act: async (stage) => {
        await callData(stage, 'SearchOrders', {
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
      act: async (stage) => {
        const endsAt = performance.now() + RECONNECT_MS;
        for (;;) {
          const isBack = (await openSockets(stage)).some((id) => !before.has(id));
          if (isBack) return;
          const finding = { member: 'ws', expected: `a new socket within ${RECONNECT_MS / 1000} seconds` };
          stage.step.require(performance.now() < endsAt, { clause: 'connection.again', ...finding, found: undefined });
          await pause(LOOK_EVERY_MS, undefined, { signal: stage.step.signal });
        }
      },
    },
    {
      name: 'call',
      act: async (stage) => {
        const transport = Transport.TRANSPORT_EPOS_DATA_WEBSOCKET;
        const params = { cursor: { limit: 1 } };
        await getData(stage, 'SearchOrders', { params, transport, clause: 'connection.again' });
      },
    },
    ...[stillLocked, unlockAgain],
  ];
};

async function openSockets({ scene }: TesterStage): Promise<string[]> {
  const connections = await scene.parts.driver.connections(scene.parts.scope).catch(() => []);
  const sockets = connections.filter(({ transport }) => transport === Transport.TRANSPORT_EPOS_DATA_WEBSOCKET);
  return sockets.map(({ connectionId }) => connectionId);
}

const needsSearch: FlowStep = {
  name: 'registered',
  act: (stage) => requireCapabilities(stage, 'SearchOrders'),
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
