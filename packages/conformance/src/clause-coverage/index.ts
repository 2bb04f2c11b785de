// Clause coverage of a test run, and the comparison of its results with the expected failures.
export { listCoverage } from './coverage.js';
export { listClauseLines, renderClauseItem } from './clause-lines.js';
export { evaluateFailures, isAsExpected, readExpectedFailures, type Verdict } from './expected-failures.js';
