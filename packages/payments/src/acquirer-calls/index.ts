// Acquirer calls with an open outcome: inquiries, abandoned challenges and approvals of card machines.
export { AcquirerCalls } from './acquirer-calls.js';
export type { PendingCall } from './open-calls.js';
export { MachineApprovals } from './machine-approvals.js';
export { AbandonedChallenges } from './abandoned-challenges.js';
