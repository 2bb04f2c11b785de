import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { type EposDataApi, EposDataRefusal } from '@pos/sandbox/epos-data';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { randomUUID } from 'node:crypto';
import { createFaultyMember, type ZooMember } from './zoo-member.js';

const PART = { amount: 100 };
const NOTHING = { data: [], before: null, after: null };

/** EPOSes that break the EPOS Data API. */
export const DATA_MEMBERS: readonly ZooMember[] = [
  {
    epos: 'whose enum values are not in the contract',
    broken: createFaultyMember({ effect: 'unknown-enum', method: 'GetOrderById' }),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.enum' },
  },
  {
    epos: 'that writes amounts as text',
    broken: rewriteBody('GetOrderById', (json) => json.replace(/"value":(\d+)/g, '"value":"$1"')),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.type' },
  },
  {
    epos: 'that writes null for what is absent',
    broken: rewriteBody('GetOrderById', (json) => json.replace(/^\{/, '{"note":null,')),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.type' },
  },
  {
    epos: 'whose items have no PLU',
    broken: rewriteBody('GetOrderById', (json) => json.replace(/"plu":/g, '"sku":')),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.missing' },
  },
  {
    epos: 'that writes prices of items in pounds',
    broken: rewriteBody('GetOrderById', (json) =>
      json.replace(/"amountPerItem":\{"value":(\d+)/g, '"amountPerItem":{"value":"$1.00"'),
    ),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.type' },
  },
  {
    epos: 'that weighs items to a ten-thousandth',
    broken: rewriteBody('GetOrderById', (json) => json.replace(/"quantity":\d+/g, '"quantity":0.57525')),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.value' },
  },
  {
    epos: 'that writes times without a zone',
    broken: rewriteBody('GetOrderById', (json) => json.replace(/(\.\d{3})Z/g, '$1')),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'schema.value' },
  },
  {
    epos: 'that lists orders of a type of its own',
    broken: rewriteBody('SearchOrders', (json) => json.replace(/"orderType":"\w+"/g, '"orderType":"Delivery"')),
    ...{ flow: 'SearchOrders', step: 'check-schema', clause: 'schema.enum' },
  },
  {
    epos: 'whose orders have no status',
    broken: rewriteBody('SearchOrders', (json) => json.replace(/"status":"\w+",/g, '')),
    ...{ flow: 'SearchOrders', step: 'check-schema', clause: 'schema.missing' },
  },
  {
    epos: 'whose party times have seconds, not milliseconds',
    broken: rewriteBody('GetPartyById', (json) => json.replace(/\.\d{3}Z/g, 'Z')),
    ...{ flow: 'GetPartyById', step: 'check-schema', clause: 'booking.times' },
  },
  {
    epos: 'whose bill has lines of one type with the member of another',
    broken: rewriteBody('GetOrderBillById', (json) => json.replace('"lineType":"MerchantName"', '"lineType":"Logo"')),
    ...{ flow: 'GetOrderBillById', step: 'check-schema', clause: 'order-bill.lines' },
  },
  {
    epos: 'that reports more paid than the sum of its payments',
    broken: createFaultyMember({ effect: 'wrong-totals', method: 'GetOrderById' }),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'order.paid' },
  },
  {
    epos: 'whose currency changes when an order is read',
    broken: createFaultyMember({ effect: 'wrong-currency', method: 'GetOrderById' }),
    ...{ flow: 'pay-in-full', step: 'read', clause: 'order.currency' },
  },
  {
    epos: 'that returns another order than the requested one',
    broken: patchAnswers(({ orders }) => {
      const get = orders.getOrder.bind(orders);
      orders.getOrder = (orderId) => orders.listOrders().find(({ id }) => id !== orderId) ?? get(orderId);
    }),
    ...{ flow: 'GetOrderById', step: 'check-schema', clause: 'order.same' },
  },
  {
    epos: 'that lists unpayable orders in a search for payable ones',
    broken: patchAnswers(({ orders }) => {
      orders.searchOrders = () => ({ ...NOTHING, data: orders.listOrders() });
    }),
    ...{ flow: 'SearchOrders', step: 'check-schema', clause: 'orders.filter' },
  },
  {
    epos: 'that ignores page limits',
    broken: patchAnswers(({ orders }) => {
      orders.searchOrders = () => ({ ...NOTHING, data: orders.listOrders() });
    }),
    ...{ flow: 'pagination', step: 'SearchOrders', clause: 'pages.limit' },
  },
  {
    epos: 'whose pages have no cursor to the previous page',
    broken: rewriteBody('SearchTables', (json) => json.replace(/"before":"[^"]+"/, '"before":null')),
    ...{ flow: 'pagination', step: 'SearchTables', clause: 'pages.back' },
  },
  {
    epos: 'that lets a locked order be locked again',
    broken: createFaultyMember({ effect: 'forget-locks', method: 'CreateOrderLock' }),
    ...{ flow: 'lock-conflict', step: 'second lock', clause: 'order-lock.exclusive' },
  },
  {
    epos: 'that confirms an extended lock and does not extend it',
    broken: patchAnswers(({ orders }) => {
      orders.extendLock = () => undefined;
    }),
    ...{ flow: 'lock-extend', params: { lockSeconds: 1 }, step: 'second lock', clause: 'order-lock.extends' },
  },
  {
    epos: 'that keeps a deleted lock',
    broken: patchAnswers(({ orders }) => {
      orders.unlockOrder = ({ orderId }) => orders.getOrder(orderId);
    }),
    ...{ flow: 'lock-conflict', step: 'lock again', clause: 'order-lock.releases' },
  },
  {
    epos: 'that does not show a locked order',
    broken: createFaultyMember({ effect: 'refuse', code: 'Conflict', method: 'GetOrderById' }),
    ...{ flow: 'read-while-locked', step: 'read', clause: 'order-lock.readable' },
  },
  {
    epos: 'that loses its locks before a payment is recorded',
    broken: createFaultyMember({ effect: 'forget-locks', method: 'RecordOrderPaymentById' }),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'order-record.books' },
  },
  {
    epos: 'that refuses a payment it has booked',
    broken: patchAnswers(({ orders }) => {
      orders.isRecorded = () => false;
    }),
    ...{ flow: 'record-duplicate', params: PART, step: 'record again', clause: 'order-record.once' },
  },
  {
    epos: 'that pays the order with the tip',
    broken: patchAnswers(({ orders }) => {
      const record = orders.recordPayment.bind(orders);
      orders.recordPayment = (asked, proof) => {
        const { paidAmount, tipsAmount } = asked;
        return record(
          { ...asked, paidAmount: { ...paidAmount, value: paidAmount.value + (tipsAmount?.value ?? 0) } },
          proof,
        );
      };
    }),
    ...{ flow: 'tip', params: PART, step: 'check-paid', clause: 'order-record.base-only' },
  },
  {
    epos: 'that loses the tip',
    broken: patchAnswers(({ orders }) => {
      const record = orders.recordPayment.bind(orders);
      orders.recordPayment = ({ tipsAmount: _, ...asked }, proof) => record(asked, proof);
    }),
    ...{ flow: 'tip', params: PART, step: 'check-paid', clause: 'order-record.tip' },
  },
  {
    epos: 'that confirms a payment and does not book it',
    broken: patchAnswers(({ orders }) => {
      orders.recordPayment = ({ orderId }) => orders.getOrder(orderId);
    }),
    ...{ flow: 'record-unanswered', params: PART, step: 'check-paid', clause: 'order-record.once' },
  },
  {
    epos: 'that accepts more than is owed',
    broken: patchAnswers(({ orders }) => {
      orders.recordPayment = ({ orderId }) => orders.getOrder(orderId);
    }),
    ...{ flow: 'record-conflict-reversed', step: 'record', clause: 'order-record.no-overpay' },
  },
  {
    epos: 'that records without a lock',
    broken: patchAnswers(({ orders }) => {
      orders.recordPayment = ({ orderId }) => orders.getOrder(orderId);
    }),
    ...{ flow: 'record-without-lock', params: PART, step: 'record', clause: 'order-record.needs-lock' },
  },
  {
    epos: 'that gives a wrong reason for an unknown order',
    broken: createFaultyMember({ effect: 'refuse', code: 'InvalidRequest', method: 'GetOrderById' }),
    ...{ flow: 'unknown-order', step: 'unknown order', clause: 'unknown.order' },
  },
  {
    epos: 'that makes a repeated order again',
    broken: patchAnswers(({ orders }) => {
      const create = orders.createOrder.bind(orders);
      orders.createOrder = (asked) => create({ ...asked, payments: [], serviceOrderId: randomUUID() });
    }),
    ...{ flow: 'order-and-pay', step: 'create again', clause: 'order.create-once' },
  },
  {
    epos: 'that drops the payments of a new order',
    broken: patchAnswers(({ orders }) => {
      const create = orders.createOrder.bind(orders);
      orders.createOrder = (asked) => create({ ...asked, payments: [] });
    }),
    ...{ flow: 'order-and-pay', step: 'find', clause: 'order.prepaid' },
  },
  {
    epos: 'that lists no payments in searches for orders',
    broken: rewriteBody('SearchOrders', (json) => json.replace(/"payments":\[.*?\]/g, '"payments":[]')),
    ...{ flow: 'order-and-pay', step: 'find', clause: 'order.prepaid', also: ['order.paid'] },
  },
  {
    epos: 'that confirms a cancellation and does not cancel',
    broken: patchAnswers(({ orders }) => {
      orders.cancelOrder = (orderId) => orders.getOrder(orderId);
    }),
    ...{ flow: 'CancelOrderById', step: 'check-schema', clause: 'order.cancels' },
  },
  {
    epos: 'that ignores the changes of a party',
    broken: patchAnswers(({ bookings }) => {
      bookings.updateParty = ({ partyId }) => bookings.getParty(partyId);
    }),
    ...{ flow: 'party-lifecycle', step: 'update', clause: 'party.same' },
  },
  {
    epos: 'that keeps a deleted party',
    broken: patchAnswers(({ bookings }) => {
      bookings.deleteParty = () => undefined;
    }),
    ...{ flow: 'party-lifecycle', step: 'get deleted', clause: 'party.gone' },
  },
  {
    epos: 'that finds reservations of other tables than the requested one',
    broken: rewriteBody('SearchReservations', (json) =>
      json.replace(/"tableIds":\[.*?\]/g, '"tableIds":["elsewhere"]'),
    ),
    ...{ flow: 'SearchReservations', step: 'call', clause: 'reservations.filter' },
  },
  {
    epos: 'that finds the tables of every area for each area',
    broken: patchAnswers((data) => {
      const answer = data.answerCall.bind(data);
      data.answerCall = (call, proof) => answer(call.name === 'SearchTables' ? { ...call, params: {} } : call, proof);
    }),
    ...{ flow: 'SearchTables', step: 'check-schema', clause: 'tables.filter' },
  },
  {
    epos: 'that finds no reservation',
    broken: patchAnswers(({ bookings }) => {
      bookings.searchReservations = () => NOTHING;
    }),
    ...{ flow: 'reservation-lifecycle', step: 'search', clause: 'reservations.filter' },
  },
  {
    epos: 'that refuses every event',
    broken: createFaultyMember({ effect: 'refuse', code: 'InvalidRequest', method: 'HandleEvent' }),
    ...{ flow: 'HandleEvent:payment_intent.created', step: 'call', clause: 'event.accepted' },
  },
  {
    epos: 'that never answers',
    broken: createFaultyMember({ effect: 'no-answer', method: 'CreateOrder' }),
    ...{ flow: 'CreateOrder', step: 'call', clause: 'data.in-time' },
  },
  {
    epos: 'whose answers are no JSON',
    broken: createFaultyMember({ effect: 'broken-json', method: 'GetOrderById' }),
    ...{ flow: 'GetOrderById', step: 'call', clause: 'data.readable', over: ['rest'] },
  },
  {
    epos: 'whose answers exceed every size limit',
    broken: createFaultyMember({ effect: 'huge-answer', method: 'GetOrderById' }),
    ...{ flow: 'GetOrderById', step: 'call', clause: 'data.readable', over: ['rest'] },
  },
  {
    epos: 'behind a proxy that times out when a payment is recorded',
    broken: wrapServer('RecordOrderPaymentById', 408),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'data.in-time', over: ['rest'] },
  },
  {
    epos: 'behind a proxy that closes the connection while an order is made',
    broken: wrapServer('CreateOrder', 499),
    ...{ flow: 'CreateOrder', step: 'call', clause: 'data.in-time', over: ['rest'] },
  },
  {
    epos: 'behind a proxy that has no route to it',
    broken: wrapServer('RecordOrderPaymentById', 404),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'data.in-time', over: ['rest'] },
  },
  {
    epos: 'behind a proxy that limits calls too strictly',
    broken: wrapServer('RecordOrderPaymentById', 429),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'connection.live', over: ['rest'] },
  },
  {
    epos: 'that refuses payments with a NUL in the reason',
    broken: patchAnswers(({ orders }) => {
      orders.recordPayment = () => {
        throw new EposDataRefusal('Conflict', 'sold\0 out');
      };
    }),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'order-record.books' },
  },
  {
    epos: 'that answers with an internal error',
    broken: createFaultyMember({ effect: 'internal-error', method: 'CreateReservation' }),
    ...{ flow: 'CreateReservation', step: 'call', clause: 'data.result' },
  },
  {
    epos: 'that loses its locks when its socket reconnects',
    broken: (eposSimulator) => {
      eposSimulator.onSocketDialled = () => {
        eposSimulator.epos.clearLocks();
      };
    },
    ...{ flow: 'reconnect', step: 'second lock', clause: 'order-lock.exclusive' },
  },
  {
    epos: 'whose areas all have one id',
    broken: rewriteBody('ListAreas', (json) => json.replace(/"id":"[^"]*"/g, '"id":"area"')),
    ...{ flow: 'ListAreas', step: 'check-schema', clause: 'area.named' },
  },
  {
    epos: 'that makes orders with another total',
    broken: patchAnswers(({ orders }) => {
      const create = orders.createOrder.bind(orders);
      orders.createOrder = ({ totalAmount, ...asked }) =>
        create({ ...asked, totalAmount: { ...totalAmount, value: totalAmount.value + 1 } });
    }),
    ...{ flow: 'CreateOrder', step: 'call', clause: 'order.created' },
  },
  {
    epos: 'that reports every order as payable',
    broken: patchAnswers((data) => {
      const answer = data.answerCall.bind(data);
      data.answerCall = (call, proof) =>
        JSON.parse(JSON.stringify(answer(call, proof)).replace(/"payable":false/g, '"payable":true')) as unknown;
    }),
    ...{ flow: 'pay-in-full', step: 'record', clause: 'order.payable' },
  },
  {
    epos: 'that answers an unknown order with an internal error',
    broken: patchAnswers(({ orders }) => {
      const get = orders.getOrder.bind(orders);
      orders.getOrder = (orderId) => {
        if (!orders.listOrders().some(({ id }) => id === orderId))
          throw new EposDataRefusal('UnexpectedError', 'a defect');
        return get(orderId);
      };
    }),
    ...{ flow: 'unknown-order', step: 'unknown order', clause: 'unknown.order' },
  },
  {
    epos: 'that ignores the changes of a reservation',
    broken: patchAnswers(({ bookings }) => {
      bookings.updateReservation = ({ reservationId }) => bookings.getReservation(reservationId);
    }),
    ...{ flow: 'reservation-lifecycle', step: 'update', clause: 'reservation.same' },
  },
  {
    epos: 'that cancels an order that was paid on',
    broken: patchAnswers(({ orders }) => {
      const cancel = orders.cancelOrder.bind(orders);
      orders.cancelOrder = (orderId) => {
        try {
          return cancel(orderId);
        } catch {
          return { ...orders.getOrder(orderId), status: 'Canceled' };
        }
      };
    }),
    ...{ flow: 'CancelOrderById', step: 'check-schema', clause: 'order.keeps-paid' },
  },
];

function patchAnswers(patch: (data: EposDataApi) => void) {
  return ({ data }: EposSimulator): void => {
    patch(data);
  };
}

/** A proxy before the EPOS answers one call in its place. */
function wrapServer(name: EposDataCallName, httpStatus: number) {
  return (eposSimulator: EposSimulator): void => {
    eposSimulator.findProxyStatus = (method) => (method === name ? httpStatus : null);
  };
}

/** Changes the text of the answers to one call. */
function rewriteBody(name: EposDataCallName, change: (json: string) => string) {
  return patchAnswers((data) => {
    const answer = data.answerCall.bind(data);
    data.answerCall = (call, proof) => {
      const json = answer(call, proof);
      return call.name === name ? (JSON.parse(change(JSON.stringify(json))) as unknown) : json;
    };
  });
}
