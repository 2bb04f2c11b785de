// Test reports: verdicts and counts, the certificate, and output as HTML, JSON and JUnit XML.
export { buildReport } from './report.js';
export { HTML_LANGUAGES, type HtmlLanguage } from './html-messages.js';
