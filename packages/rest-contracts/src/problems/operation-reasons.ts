import { commonRefusals, type Operation } from '../operation/operation.js';
import { COMMON_FAILURES, type ProblemReason } from './problems.js';

/** Every reason that an operation can answer: its own refusals, those of all operations like it, and failures. */
export function listReasons(operation: Operation): readonly ProblemReason[] {
  return [...operation.refusals, ...commonRefusals(operation), ...COMMON_FAILURES];
}
