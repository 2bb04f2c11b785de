// The clock of a sandbox: advances the account's time and runs the work that becomes due.
export { advanceClock } from './clock-advance.js';
