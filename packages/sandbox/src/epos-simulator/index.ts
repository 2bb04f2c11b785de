// The EPOS simulator of a restaurant: serves calls, records them and injects faults.
export { EposSimulator, type RecordedEposCall } from './epos-simulator.js';
export { openRestaurantEpos } from './restaurant-epos.js';
export { serveTablesCall } from './tables-calls.js';
export type { EposFault, EposFaultEffect } from './epos-faults.js';
