// Operator decisions on open payments, leases, and refunds whose outcome is unknown.
export {
  type LeaseView,
  listLeases,
  listOperatorCallPage,
  OperatorService,
  type ReleaseLeaseRequest,
  type ResolveRequest,
} from './operator-service.js';
export type { PendingMachineRefund } from './pending-refunds.js';
export { findUntakenRefund } from './untaken-refunds.js';
