// The command of a tester: exit codes, stop signals, report files and the summary on the terminal.
export { type Exit, EXITS } from './exit-codes.js';
export { UsageError } from './usage-error.js';
export { runUntilStopped } from './stop-signal.js';
export { formatFlow, formatSummary } from './summary.js';
export { readFailuresFile, type ReportFiles, requireWritable, writeReports } from './report-files.js';
