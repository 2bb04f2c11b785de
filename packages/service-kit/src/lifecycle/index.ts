// The lifecycle of a process: start, signals and failures, polling loops, time limits and concurrency limits.
export { runProcess, type StartedProcess } from './run-process.js';
export { exitOnFailure } from './failure-exit.js';
export { exitOnSignal } from './signal-exit.js';
export { protectMemory } from './memory-protection.js';
export { PollingLoop } from './polling-loop.js';
export { AccountConcurrencyLimiter, type ReleaseSlot } from './account-concurrency-limiter.js';
export { createTimeLimit } from './time-limit.js';
export { createFaultPoint, type FaultPoint } from './fault-point.js';
