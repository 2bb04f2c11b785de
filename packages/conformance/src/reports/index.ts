// Test reports: verdicts and counts, the certificate, and output as HTML, JSON and JUnit XML.
export { buildReport, formatCounts, type Report } from './report.js';
export { createCertificate } from './certificate.js';
export { renderJsonReport } from './json-report.js';
export { renderJunitReport } from './junit-report.js';
export { renderHtmlReport } from './html-report.js';
export { describeObstacle, HTML_LANGUAGES, type HtmlLanguage } from './html-messages.js';
