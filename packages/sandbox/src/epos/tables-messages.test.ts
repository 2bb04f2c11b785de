import { Payment, PaymentMethod, PaymentMethodDetails, RequestorInfo, RequestorType } from '@pos/grpc-contracts/tables';
import { expect, test } from '@jest/globals';
import { readPayment, readRequestor } from './tables-messages.js';

const PAYMENT = Payment.fromPartial({ id: '00000000-0000-4000-8000-000000000001', attemptedAt: new Date(0) });

const readRequestorOfType = (requestorType: RequestorType) => () =>
  readRequestor(RequestorInfo.fromPartial({ requestorType }));
const readPaymentOfMethod = (method: PaymentMethod) => () =>
  readPayment({ ...PAYMENT, methodDetails: PaymentMethodDetails.fromPartial({ method }) });

test.each<[string, () => unknown, string]>([
  ['a call without a requestor', () => readRequestor(undefined), 'requestorInfo.requestorType is missing'],
  [
    'a call without the type of its requestor',
    readRequestorOfType(RequestorType.REQUESTOR_TYPE_UNSPECIFIED),
    'requestorInfo.requestorType is missing',
  ],
  [
    'a call of a kind of device that only a newer contract has',
    readRequestorOfType(RequestorType.UNRECOGNIZED),
    'requestorInfo.requestorType is unknown',
  ],
  ['no payment', () => readPayment(undefined), 'payment is missing'],
  [
    'a payment without its method',
    readPaymentOfMethod(PaymentMethod.PAYMENT_METHOD_UNSPECIFIED),
    'payment.methodDetails.method is missing',
  ],
  [
    'a payment without details',
    () => readPayment({ ...PAYMENT, methodDetails: undefined }),
    'payment.methodDetails.method is missing',
  ],
  [
    'a payment by a method that only a newer contract has',
    readPaymentOfMethod(PaymentMethod.UNRECOGNIZED),
    'payment.methodDetails.method is unknown',
  ],
])('%s is refused as a parse error with the reason', (_, read, problem) => {
  expect(read).toThrow(`ERROR_PARSE_ERROR: ${problem}`);
});
