// Test steps and their checks, and the catalogue that says how each clause is tested.
export { Check } from './check.js';
export { OpenStep, StepFailed } from './open-step.js';
export type { ClauseCoverageNote, TestCatalogue } from './catalogue.js';
