// The clock of a sandbox account: frozen or running time, and the steps by which it advances.
export {
  applyClockStep,
  beginAdvance,
  countDueWork,
  endAdvance,
  findNextDueInMs,
  getAccountClock,
  getAccountTime,
} from './sandbox-clock.js';
