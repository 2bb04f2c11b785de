import { isId } from '@pos/core/identity';
import { keyed } from '@pos/core/refusal';
import type { BodyOf } from './operation.js';
import type { createPaymentIntent } from './payment-intent-operations.js';

// What requests for payment intents and setup intents say alike.

type Shared = Pick<
  BodyOf<typeof createPaymentIntent>,
  'customer' | 'billingAddress' | 'shippingDetails' | 'requestSecurity' | 'orderDetails' | 'config'
>;

export function readShared({ config, ...body }: Shared) {
  const { customer, billingAddress, shippingDetails, requestSecurity, orderDetails } = body;
  return {
    config,
    ...readCustomer(customer),
    ...(billingAddress !== undefined && { billingAddress }),
    ...(shippingDetails !== undefined && { shippingDetails }),
    ...(requestSecurity !== undefined && { requestSecurity }),
    ...(orderDetails !== undefined && { orderDetails: readOrder(orderDetails) }),
  };
}

/** What is proved or chosen with the request and never kept as it was sent. */
export function readSavedCard({ customer: { secret, savedCardId } = {} }: Pick<Shared, 'customer'>) {
  return { secret, savedCardId };
}

function readCustomer({ id, emailAddress, phoneNumber }: NonNullable<Shared['customer']> = {}) {
  const customer = {
    ...(id !== undefined && { customerId: customerId(id) }),
    ...(emailAddress !== undefined && { emailAddress }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
  return Object.keys(customer).length === 0 ? {} : { customer };
}

function readOrder({ availabilityDate, ...rest }: NonNullable<Shared['orderDetails']>) {
  return { ...rest, ...(availabilityDate !== undefined && { availabilityDate: availabilityDate.toISOString() }) };
}

/** A malformed id is an unknown one. */
function customerId(text: string) {
  if (!isId('customer', text)) throw keyed('validation_failed', 'customer.id', 'Is not a customer.');
  return text;
}
