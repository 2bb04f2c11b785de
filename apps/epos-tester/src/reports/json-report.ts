import type { Report } from './report.js';

/** Grows when a member changes its meaning or goes; members that are added do not count. */
const FORMAT = 1;

/** The whole report as JSON: verdicts, steps with their checks, and the coverage of clauses. */
export function renderJsonReport(report: Report): string {
  return `${JSON.stringify({ format: FORMAT, ...report }, null, 2)}\n`;
}
