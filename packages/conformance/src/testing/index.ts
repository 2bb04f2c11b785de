// Test support for reports: sample flow records, and a check for well-formed XML.
export { createCheck, createFlowRecord, createStep, GROUP, HOSTILE } from './report-builders.js';
export { findXmlViolation } from './xml-validation.js';
