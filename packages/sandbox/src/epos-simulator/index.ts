// The EPOS simulator of a restaurant: serves calls, records them and injects faults.
export { EposSimulator, type RecordedEposCall } from './epos-simulator.js';
export type { EposFault } from './epos-faults.js';
