import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestCatalogue } from '@pos/conformance/checks';
import { buildReport, HTML_LANGUAGES } from '@pos/conformance/reports';
import { GROUP, HOSTILE, renderHtmlReport } from '@pos/conformance/testing';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import { openChromium } from '../checkout/chromium.js';
import { findAccessibilityFindings } from './page-audit.js';

const MINUTE = 60_000;
const executable = findChromium(process.env);

/** The tester of the report: what the flows of the group name, and a clause that no flow tests. */
const CATALOGUE: TestCatalogue = {
  ...{ title: 'EPOS tester', subject: 'EPOS', transports: ['rest', 'ws'], flows: GROUP.flows.map(({ flow }) => flow) },
  clauses: Object.fromEntries(
    ['data.result', 'area.named', 'schema.type', 'unknown.order', 'pages.once', 'lock.exclusive'].map((clause) => [
      clause,
      `What ${clause} requires of an EPOS, in a sentence that is long enough to need more than one line.`,
    ]),
  ),
  ...{ clauseFlows: {}, conditions: {} },
};
const FACTS = { 'EPOS name': `Oyster ${HOSTILE}`, 'EPOS version': '4.2', 'Tester version': '0.2.0' };
const REPORT = buildReport(CATALOGUE, { ...GROUP, facts: FACTS }, []);

describe('the report of the tester, in a browser', () => {
  if (executable === null) {
    test('NOT RUN: this machine has no Chromium, so the report was not tested', () => expect(executable).toBeNull());
  } else {
    testReport(executable);
  }
});

let browser: Browser;
let folder: string;
let page: Page;
const requests: string[] = [];
const errors: string[] = [];

function testReport(program: string): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'report-'));
    browser = await openChromium(program);
    page = await browser.newPage();
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => errors.push('a dialog')));
    page.on('pageerror', (error) => errors.push(error.message));
  }, MINUTE);
  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await rm(folder, { recursive: true });
  });

  test.each(HTML_LANGUAGES)(
    'in %s it is accessible in both themes and widths, asks for nothing, and runs nothing',
    async (language) => {
      const address = await writePage(language);
      requests.splice(0);
      await page.goto(address);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      // The title is text: a name with markup in it makes no element.
      expect(await page.title()).toContain('<script>alert("1")</script>');
      expect(await page.locator('script, img, iframe, link').count()).toBe(0);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      expect({ requests, errors }).toEqual({ requests: [address], errors: [] });
    },
    MINUTE,
  );

  test(
    'failures come before all other flows, open, and what does not apply is folded, but printed',
    async () => {
      await page.goto(await writePage('en'));
      const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
      expect(headings).toEqual(['To fix: 3', 'Flows', 'Clauses']);
      expect(await page.locator('#failures details.flow:not([open])').count()).toBe(0);
      const reason = page.locator('details.skipped li').first();
      expect(await reason.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await reason.isVisible()).toBe(true);
      const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe('rgb(255, 255, 255)');
      await page.emulateMedia({ media: 'screen' });
    },
    MINUTE,
  );
}

async function writePage(language: (typeof HTML_LANGUAGES)[number]): Promise<string> {
  const file = path.join(folder, `${language}.html`);
  await writeFile(file, renderHtmlReport(CATALOGUE, REPORT, language));
  return pathToFileURL(file).href;
}
