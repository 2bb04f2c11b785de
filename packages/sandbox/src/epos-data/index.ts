// The reference EPOS of the EPOS Data API: its 22 calls, its refusals and payments of orders.
export { EposDataApi } from './epos-data-api.js';
export { EposDataRefusal } from './epos-data-refusal.js';
export type { RecordedOrderPayment } from './epos-orders.js';
