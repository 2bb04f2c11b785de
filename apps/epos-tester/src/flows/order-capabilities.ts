import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { getData } from '../scene/data-asking.js';
import type { Flow } from '../scene/flow.js';
import { findOrderableItem, createOrder, buildOrder } from '../steps/made-orders.js';
import { cancelPaidOrder } from '../steps/paid-orders.js';
import { checkAreas, checkFoundOrders, checkOrder, checkTables } from '../steps/order-checks.js';
import { createLock, lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, recordOnOrder } from '../steps/order-paying.js';
import { findOrder, getOrder } from '../steps/order-steps.js';
import type { ParameterName } from '../scene/run-params.js';
import type { TesterStage } from '../scene/scene.js';
import { createCapabilityFlow, FIRST_PAGE } from './capabilities.js';
import { extendLock } from './order-locks.js';

const ON_ORDER: readonly ParameterName[] = ['orderId', 'tableId', 'waiterId'];
const LOCK_MS = 60_000;

/** One flow for each capability about areas, tables and orders. */
export const ORDER_CAPABILITY_FLOWS: readonly Flow[] = [
  createCapabilityFlow({
    ...{ capability: 'ListAreas', name: 'ListAreas', needs: [], params: ['waiterId'] },
    call: async (stage) => {
      await getData(stage, 'ListAreas', { params: {} });
    },
    check: checkAreas,
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchTables', name: 'SearchTables', needs: [], params: ['areaId', 'waiterId'] },
    call: async (stage) => {
      const { areaId, waiterId } = stage.scene.params;
      const filter = { ...(areaId !== null && { areaId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
      await getData(stage, 'SearchTables', { params: { ...filter, ...FIRST_PAGE } });
    },
    check: async (stage, { data }) => {
      const { areaId } = stage.scene.params;
      checkTables(stage, data, areaId);
      // Without a requested area, the first existing one tests the filter.
      const first = data.find((table) => table.areaId !== undefined)?.areaId;
      if (areaId !== null || first === undefined) return;
      const found = await getData(stage, 'SearchTables', { params: { areaId: first, ...FIRST_PAGE } });
      checkTables(stage, found.data, first);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateOrder', name: 'CreateOrder', needs: ['SearchOrders'], params: ['waiterId'] },
    call: async (stage) => {
      await createOrder(stage, buildOrder(await findOrderableItem(stage), []));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'GetOrderById', name: 'GetOrderById', needs: ['SearchOrders'], params: ON_ORDER },
    call: async (stage) => {
      await findOrder(stage);
      await getData(stage, 'GetOrderById', { params: { orderId: getOrder(stage).id } });
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'CancelOrderById', name: 'CancelOrderById', needs: ['CreateOrder', 'SearchOrders'] },
    params: ['waiterId'],
    call: async (stage) => {
      const asked = buildOrder(await findOrderableItem(stage), []);
      const { id } = await createOrder(stage, asked);
      await getData(stage, 'CancelOrderById', { params: { orderId: id }, clause: 'order.cancels' });
      stage.scene.orders.made.delete(`order ${asked.serviceOrderId}`);
    },
    check: async (stage, { status }) => {
      const expected = 'Canceled';
      stage.step.check(status === expected, { clause: 'order.cancels', member: 'status', expected, found: status });
      await cancelPaidOrder(stage);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchOrders', name: 'SearchOrders', needs: [], params: ['payableOnly', 'tableId', 'waiterId'] },
    call: async (stage) => {
      const { payableOnly, tableId, waiterId } = stage.scene.params;
      const dineIn = { ...(tableId !== null && { tableId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
      await getData(stage, 'SearchOrders', { params: { details: { dineIn }, payableOnly, ...FIRST_PAGE } });
    },
    check: (stage, { data }) => {
      data.forEach((order, index) => {
        checkOrder(stage, order, { at: `data[${index}]` });
      });
      checkFoundOrders(stage, data);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateOrderLock', name: 'CreateOrderLock', needs: ['SearchOrders', 'DeleteOrderLock'] },
    params: ON_ORDER,
    call: async (stage) => {
      await findOrder(stage);
      await createLock(stage, LOCK_MS);
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'ExtendOrderLock', name: 'ExtendOrderLock', params: ON_ORDER },
    needs: ['SearchOrders', 'CreateOrderLock', 'DeleteOrderLock'],
    call: async (stage) => {
      await findOrder(stage);
      const expiresAt = await createLock(stage, LOCK_MS);
      await extendLock(stage, expiresAt + LOCK_MS);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeleteOrderLock', name: 'DeleteOrderLock', needs: ['SearchOrders', 'CreateOrderLock'] },
    params: ON_ORDER,
    call: async (stage) => {
      await findOrder(stage);
      await createLock(stage, LOCK_MS);
      await unlockOrder.act(stage);
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'GetOrderBillById', name: 'GetOrderBillById', needs: ['SearchOrders'], params: ON_ORDER },
    call: async (stage) => {
      await findOrder(stage);
      await getData(stage, 'GetOrderBillById', { params: { orderId: getOrder(stage).id } });
    },
    check: (stage, { order }) => {
      checkOrder(stage, order, { at: 'order', id: getOrder(stage).id });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'RecordOrderPaymentById', name: 'RecordOrderPaymentById' },
    needs: JOURNEY_NEEDS.PayAtTable,
    params: [...ON_ORDER, 'amount', 'gratuity'],
    call: async (stage) => {
      await findOrder(stage);
      for (const step of [lockOrder, payOrder(), recordOnOrder]) await step.act(stage);
    },
    check: async (stage, order) => {
      checkOwnOrder(stage, order);
      await checkPaid().act(stage);
    },
  }),
];

function checkOwnOrder(stage: TesterStage, order: Parameters<typeof checkOrder>[1]): void {
  checkOrder(stage, order, { at: '', id: getOrder(stage).id });
}
