// Test support for reports: sample flow records, and a check for well-formed XML.
// After it, what only tests of other packages use of the other folders.
export { createCheck, createFlowRecord, createStep, GROUP, HOSTILE } from './report-builders.js';
export { findXmlViolation } from './xml-validation.js';
export { listCoverage } from '../clause-coverage/coverage.js';
export { isAsExpected, readExpectedFailures, type Verdict } from '../clause-coverage/expected-failures.js';
export { createCertificate } from '../reports/certificate.js';
export { describeObstacle } from '../reports/html-messages.js';
export { renderHtmlReport } from '../reports/html-report.js';
export { renderJsonReport } from '../reports/json-report.js';
export { renderJunitReport } from '../reports/junit-report.js';
export { formatCounts, type Report } from '../reports/report.js';
export { countCaught } from '../zoo/zoo-record.js';
