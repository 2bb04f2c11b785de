// Timers that workers run: the kinds of deadlines, and the effect of each.
export { createTimerEffects } from './worker-timers.js';
