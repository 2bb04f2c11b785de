// The clock of the simulated world, and the seed that makes its random values repeatable.
export { createWallClock } from './simulation-clock.js';
export { Seed } from './seed.js';
