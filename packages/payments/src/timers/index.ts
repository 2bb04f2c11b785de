// Timers that workers run: the kinds of deadlines, and the effect of each.
export { createTimerEffects, WORKER_TIMER_KINDS } from './worker-timers.js';
