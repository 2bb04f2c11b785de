import { createViolation } from '@pos/core/refusals';
import type { Flow } from '../flow-context/flow.js';
import { BOOKING_CAPABILITY_FLOWS } from './booking-capabilities.js';
import { BOOKING_FLOWS } from './bookings.js';
import { LOCK_FLOWS } from './lock-rules.js';
import { METHOD_FLOWS } from './methods.js';
import { ORDER_AND_PAY_FLOWS } from './order-and-pay.js';
import { ORDER_CAPABILITY_FLOWS } from './order-capabilities.js';
import { ORDER_CONNECTION_FLOWS } from './order-connections.js';
import { ORDER_LOCK_FLOWS } from './order-locks.js';
import { ORDER_PAY_FLOWS } from './order-paying.js';
import { ORDER_RECORD_FLOWS } from './order-records.js';
import { PAY_FLOWS } from './paying.js';
import { RECORD_FLOWS } from './record-rules.js';
import { UNKNOWN_FLOWS } from './unknown.js';

/** The flows of the pay-at-table contract, in the recommended order. */
export const TABLES_FLOWS: readonly Flow[] = [
  ...[...METHOD_FLOWS, ...PAY_FLOWS],
  ...[...LOCK_FLOWS, ...RECORD_FLOWS, ...UNKNOWN_FLOWS],
];

/** The flows of the EPOS Data API, in the recommended order. */
export const DATA_FLOWS: readonly Flow[] = [
  ...[...ORDER_CAPABILITY_FLOWS, ...BOOKING_CAPABILITY_FLOWS],
  ...[...ORDER_PAY_FLOWS, ...ORDER_LOCK_FLOWS, ...ORDER_RECORD_FLOWS],
  ...[...ORDER_CONNECTION_FLOWS, ...ORDER_AND_PAY_FLOWS, ...BOOKING_FLOWS],
];

/** Every flow. */
export const FLOWS: readonly Flow[] = [...TABLES_FLOWS, ...DATA_FLOWS];

/** The flow with that name; refuses an unknown one. */
export function getFlow(name: string): Flow {
  const flow = FLOWS.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (flow === undefined) throw createViolation('validation_failed', 'flow', 'Is not the name of a flow.');
  return flow;
}
