import { access, constants, mkdir, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestCatalogue } from '../checks/catalogue.js';
import { type ExpectedFailure, readExpectedFailures } from '../clause-coverage/expected-failures.js';
import { renderHtmlReport } from '../reports/html-report.js';
import type { HtmlLanguage } from '../reports/html-messages.js';
import { renderJsonReport } from '../reports/json-report.js';
import { renderJunitReport } from '../reports/junit-report.js';
import type { Report } from '../reports/report.js';
import { UsageError } from './usage-error.js';

/** The files of the reports that the user requests; null: not requested. */
export interface ReportFiles {
  readonly junit: string | null;
  readonly json: string | null;
  readonly html: string | null;
  /** The language of the page; English when left out. */
  readonly language?: HtmlLanguage;
}

/** The members of `ReportFiles` that are files. */
const FILES = ['junit', 'json', 'html'] as const;

/** Checks before the start that the reports can be written: flows take minutes. Throws UsageError. */
export async function requireWritable(reports: ReportFiles): Promise<void> {
  for (const name of FILES) {
    const file = reports[name];
    if (file !== null && !(await isWritable(file))) throw new UsageError(`--${name} ${file} cannot be written`);
  }
}

/** Writes the requested reports. */
export async function writeReports(catalogue: TestCatalogue, files: ReportFiles, report: Report): Promise<void> {
  const wanted = [
    { file: files.junit, write: renderJunitReport },
    { file: files.json, write: renderJsonReport },
    { file: files.html, write: (...of: readonly [TestCatalogue, Report]) => renderHtmlReport(...of, files.language) },
  ];
  for (const { file, write } of wanted) {
    if (file !== null) await writeFile(file, write(catalogue, report));
  }
}

/** Reads the file of expected failures; no file expects none. Throws UsageError. */
export async function readFailuresFile(
  catalogue: TestCatalogue,
  file: string | null,
): Promise<readonly ExpectedFailure[]> {
  if (file === null) return [];
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--expected-failures ${file} cannot be read`);
  });
  const read = readExpectedFailures(catalogue, text);
  if ('violations' in read) throw new UsageError(`${file}, ${read.violations.join('; ')}`);
  return read.failures;
}

async function isWritable(file: string): Promise<boolean> {
  try {
    await makeFolder(path.dirname(path.resolve(file)));
    const there = await stat(file).catch(() => null);
    if (there === null) {
      // Only an attempt shows it: everything below /proc looks writable, and nothing is.
      await (await open(file, 'wx')).close();
      await unlink(file);
      return true;
    }
    await access(file, constants.W_OK);
    return !there.isDirectory();
  } catch {
    return false;
  }
}

/**
 * Creates the folder and its parents. Node's own `recursive` never ends where a parent exists and accepts no folders.
 */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) !== null) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeFolder(above);
  await mkdir(folder).catch(async (error: unknown) => {
    // Another process may have created it in the meantime.
    if ((await stat(folder).catch(() => null)) === null) throw error;
  });
}
