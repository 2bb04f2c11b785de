// Clause coverage of a test run, and the comparison of its results with the expected failures.
export { listClauseLines, renderClauseItem } from './clause-lines.js';
export { evaluateFailures } from './expected-failures.js';
