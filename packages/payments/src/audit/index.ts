// Audited changes: each is written to the audit log in its own transaction, with actor and reason.
export {
  recordChange,
  requireAccount,
  requireActiveAccount,
  requireLine,
  requireLockedAccount,
  requireReason,
} from './audited-change.js';
