import { escapeControls } from '@pos/core/refusals';
import type { TestCatalogue } from '../checks/catalogue.js';
import { createCertificate } from './certificate.js';
import { describeObstacle } from './html-messages.js';
import type { Report } from './report.js';

/** Increased when a member changes its meaning or is removed; added members do not count. */
const FORMAT = 1;

/** The whole report as JSON: the certificate, verdicts, steps with their checks, and the coverage of clauses. */
export function renderJsonReport(catalogue: TestCatalogue, report: Report): string {
  const { subject, ...members } = report;
  const named = { [catalogue.subject.toLowerCase()]: subject };
  const { isCertified, obstacles, ...proven } = createCertificate(catalogue, report);
  const certificate = { isCertified, reasons: obstacles.map(describeObstacle), ...proven };
  // People read it too. The escapes are those of JSON, so every member keeps its value.
  return escapeControls(`${JSON.stringify({ format: FORMAT, ...named, certificate, ...members }, null, 2)}\n`);
}
