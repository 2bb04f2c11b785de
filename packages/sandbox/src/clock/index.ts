// The clock of the simulated world, and the seed that makes its random values repeatable.
export { createWallClock, ManualClock } from './simulation-clock.js';
export { Seed } from './seed.js';
