import type { Report } from './report.js';

/** Increased when a member changes its meaning or is removed; added members do not count. */
const FORMAT = 1;

/** The whole report as JSON: verdicts, steps with their checks, and the coverage of clauses. */
export function renderJsonReport(report: Report): string {
  return `${JSON.stringify({ format: FORMAT, ...report }, null, 2)}\n`;
}
