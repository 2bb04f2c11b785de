import { JOURNEY_NEEDS } from '@pos/core/tables';
import { getData } from '../flow-context/data-calls.js';
import type { Flow } from '../flow-context/flow.js';
import { findOrderableItem, createOrder, buildOrder } from '../steps/created-orders.js';
import { cancelPaidOrder } from '../steps/paid-orders.js';
import { checkAreas, checkFoundOrders, checkOrder, checkTables } from '../steps/order-checks.js';
import { createLock, lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, recordOnOrder } from '../steps/order-paying.js';
import { findOrder, getOrder } from '../steps/order-steps.js';
import type { ParameterName } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { createCapabilityFlow, FIRST_PAGE } from './capabilities.js';
import { extendLock } from './order-locks.js';

const ON_ORDER: readonly ParameterName[] = ['orderId', 'tableId', 'waiterId'];
const LOCK_MS = 60_000;

/** One flow for each capability about areas, tables and orders. */
export const ORDER_CAPABILITY_FLOWS: readonly Flow[] = [
  createCapabilityFlow({
    ...{ capability: 'ListAreas', name: 'ListAreas', needs: [], params: ['waiterId'] },
    call: async (context) => {
      await getData(context, 'ListAreas', { params: {} });
    },
    check: checkAreas,
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchTables', name: 'SearchTables', needs: [], params: ['areaId', 'waiterId'] },
    call: async (context) => {
      const { areaId, waiterId } = context.flowContext.params;
      const filter = { ...(areaId !== null && { areaId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
      await getData(context, 'SearchTables', { params: { ...filter, ...FIRST_PAGE } });
    },
    check: async (context, { data }) => {
      const { areaId } = context.flowContext.params;
      checkTables(context, data, areaId);
      // Without a requested area, the first existing one tests the filter.
      const first = data.find((table) => table.areaId !== undefined)?.areaId;
      if (areaId !== null || first === undefined) return;
      const found = await getData(context, 'SearchTables', { params: { areaId: first, ...FIRST_PAGE } });
      checkTables(context, found.data, first);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateOrder', name: 'CreateOrder', needs: ['SearchOrders'], params: ['waiterId'] },
    call: async (context) => {
      await createOrder(context, buildOrder(await findOrderableItem(context), []));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'GetOrderById', name: 'GetOrderById', needs: ['SearchOrders'], params: ON_ORDER },
    call: async (context) => {
      await findOrder(context);
      await getData(context, 'GetOrderById', { params: { orderId: getOrder(context).id } });
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'CancelOrderById', name: 'CancelOrderById', needs: ['CreateOrder', 'SearchOrders'] },
    params: ['waiterId'],
    call: async (context) => {
      const request = buildOrder(await findOrderableItem(context), []);
      const { id } = await createOrder(context, request);
      await getData(context, 'CancelOrderById', { params: { orderId: id }, clause: 'order.cancels' });
      context.flowContext.orders.undoActions.delete(`order ${request.serviceOrderId}`);
    },
    check: async (context, { status }) => {
      const expected = 'Canceled';
      context.step.check(status === expected, { clause: 'order.cancels', member: 'status', expected, found: status });
      await cancelPaidOrder(context);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchOrders', name: 'SearchOrders', needs: [], params: ['payableOnly', 'tableId', 'waiterId'] },
    call: async (context) => {
      const { payableOnly, tableId, waiterId } = context.flowContext.params;
      const dineIn = { ...(tableId !== null && { tableId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
      await getData(context, 'SearchOrders', { params: { details: { dineIn }, payableOnly, ...FIRST_PAGE } });
    },
    check: (context, { data }) => {
      data.forEach((order, index) => {
        checkOrder(context, order, { at: `data[${index}]` });
      });
      checkFoundOrders(context, data);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateOrderLock', name: 'CreateOrderLock', needs: ['SearchOrders', 'DeleteOrderLock'] },
    params: ON_ORDER,
    call: async (context) => {
      await findOrder(context);
      await createLock(context, LOCK_MS);
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'ExtendOrderLock', name: 'ExtendOrderLock', params: ON_ORDER },
    needs: ['SearchOrders', 'CreateOrderLock', 'DeleteOrderLock'],
    call: async (context) => {
      await findOrder(context);
      const expiresAt = await createLock(context, LOCK_MS);
      await extendLock(context, expiresAt + LOCK_MS);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeleteOrderLock', name: 'DeleteOrderLock', needs: ['SearchOrders', 'CreateOrderLock'] },
    params: ON_ORDER,
    call: async (context) => {
      await findOrder(context);
      await createLock(context, LOCK_MS);
      await unlockOrder.act(context);
    },
    check: checkOwnOrder,
  }),
  createCapabilityFlow({
    ...{ capability: 'GetOrderBillById', name: 'GetOrderBillById', needs: ['SearchOrders'], params: ON_ORDER },
    call: async (context) => {
      await findOrder(context);
      await getData(context, 'GetOrderBillById', { params: { orderId: getOrder(context).id } });
    },
    check: (context, { order }) => {
      checkOrder(context, order, { at: 'order', id: getOrder(context).id });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'RecordOrderPaymentById', name: 'RecordOrderPaymentById' },
    needs: JOURNEY_NEEDS.PayAtTable,
    params: [...ON_ORDER, 'amount', 'gratuity'],
    call: async (context) => {
      await findOrder(context);
      for (const step of [lockOrder, payOrder(), recordOnOrder]) await step.act(context);
    },
    check: async (context, order) => {
      checkOwnOrder(context, order);
      await checkPaid().act(context);
    },
  }),
];

function checkOwnOrder(context: StepContext, order: Parameters<typeof checkOrder>[1]): void {
  checkOrder(context, order, { at: '', id: getOrder(context).id });
}
