import { isId } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { BodyOf } from '../operation/operation.js';
import type { createPaymentIntent } from './payment-intent-operations.js';

// The common parts of requests for payment intents and setup intents.

type SharedIntentParts = Pick<
  BodyOf<typeof createPaymentIntent>,
  'customer' | 'billingAddress' | 'shippingDetails' | 'requestSecurity' | 'orderDetails' | 'config'
>;

export function readSharedParts({ config, ...body }: SharedIntentParts) {
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

/** Members that are checked or chosen with the request and never stored as they were sent. */
export function readSavedCard({ customer: { secret, savedCardId } = {} }: Pick<SharedIntentParts, 'customer'>) {
  return { secret, savedCardId };
}

function readCustomer({ id, emailAddress, phoneNumber }: NonNullable<SharedIntentParts['customer']> = {}) {
  const customer = {
    ...(id !== undefined && { customerId: readCustomerId(id) }),
    ...(emailAddress !== undefined && { emailAddress }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
  return Object.keys(customer).length === 0 ? {} : { customer };
}

function readOrder({ availabilityDate, ...rest }: NonNullable<SharedIntentParts['orderDetails']>) {
  return { ...rest, ...(availabilityDate !== undefined && { availabilityDate: availabilityDate.toISOString() }) };
}

/** A malformed id counts as an unknown one. */
function readCustomerId(text: string) {
  if (!isId('customer', text)) throw createViolation('validation_failed', 'customer.id', 'Is not a customer.');
  return text;
}
