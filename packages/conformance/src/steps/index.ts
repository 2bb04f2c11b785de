// Attempts to run a test step within its limits, with the log lines and checks that result.
export { attemptStep, type StepEnd } from './step-attempt.js';
