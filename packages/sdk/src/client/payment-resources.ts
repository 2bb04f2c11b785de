import type { OPERATIONS } from '../gen/operations.js';
import { iterateList, iterateSearch } from './iterators.js';
import type { MethodMaker } from './method.js';

/** The operations that payments consist of. */
export function createPaymentResources(method: MethodMaker<keyof typeof OPERATIONS>) {
  const searchIntents = method('searchPaymentIntents');
  const searchCustomers = method('searchCustomers');
  const searchTransactions = method('searchTransactions');
  return {
    paymentIntents: {
      create: method('createPaymentIntent'),
      read: method('readPaymentIntent'),
      cancel: method('cancelPaymentIntent'),
      search: searchIntents,
      searchAll: iterateSearch(searchIntents),
      refreshClientSecret: method('refreshClientSecret'),
      changeAmount: method('changeAmount'),
      changeTips: method('changeTips'),
      capture: method('capturePaymentIntent'),
      refund: method('refundPaymentIntent'),
      readRefund: method('readRefund'),
      reverse: method('reversePaymentIntent'),
      charge: method('chargePaymentIntent'),
      sendReceipt: method('sendReceipt'),
    },
    setupIntents: {
      create: method('createSetupIntent'),
      read: method('readSetupIntent'),
      cancel: method('cancelSetupIntent'),
      refreshClientSecret: method('refreshSetupSecret'),
    },
    customers: {
      create: method('createCustomer'),
      /** The customer as a list of one; the contract answers a list. */
      read: method('readCustomers'),
      change: method('changeCustomer'),
      delete: method('deleteCustomer'),
      search: searchCustomers,
      searchAll: iterateList(searchCustomers),
      createSecret: method('createCustomerSecret'),
    },
    transactions: { search: searchTransactions, searchAll: iterateSearch(searchTransactions) },
  };
}
