import { isId } from '@pos/core/identity/identity';
import { createViolation } from '@pos/core/refusals/refusal';
import type { BodyOf } from '../operation/operation.js';
import type { createPaymentIntent } from './payment-intent-operations.js';

// What requests for payment intents and setup intents say alike.

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

/** What is proved or chosen with the request and never kept as it was sent. */
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

/** A malformed id is an unknown one. */
function readCustomerId(text: string) {
  if (!isId('customer', text)) throw createViolation('validation_failed', 'customer.id', 'Is not a customer.');
  return text;
}
