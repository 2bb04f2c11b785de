import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { findChromium } from '../../chromium/places.js';
import { REPOSITORY } from '../repository/repository.js';
import { CHECKOUT_SUITE } from './checkout-states.js';
import type { Look, PageSuite, ReachedState } from './page-suite.js';
import { PORTAL_SUITE } from './portal-states.js';
import { RESTAURANT_SUITE } from './restaurant-states.js';

const SUITES: readonly PageSuite[] = [CHECKOUT_SUITE, RESTAURANT_SUITE, PORTAL_SUITE];
const WIDTHS = [390, 1280] as const;
const THEMES = ['light', 'dark'] as const;
const PAINT_MS = 150;

const HELP = `Usage: pnpm screenshots [NAME ...]

Makes screenshots of the pages with Chromium, in the light and in the dark, 390 and 1280 pixels wide. Without a name, it
makes all; a name is an app (checkout) or one state of it (checkout/tips). It writes them to .data/screenshots, or to the
folder SCREENSHOTS. SCREENSHOT_LOCALE=de-DE makes them in another language; states in which a person types or presses
something are reached in English only.

${SUITES.map(({ name, stateNames }) => `${name}: ${stateNames.join(', ')}`).join('\n\n')}
`;

const names = process.argv.slice(2);
if (names.includes('--help')) process.stdout.write(HELP);
else await makeScreenshots(names);

async function makeScreenshots(wanted: readonly string[]): Promise<void> {
  const executable = findChromium(process.env);
  if (executable === null) throw new Error('this machine has no Chromium; name one by CHROMIUM');
  const known = new Set(
    SUITES.flatMap(({ name, stateNames }) => [name, ...stateNames.map((each) => `${name}/${each}`)]),
  );
  const unknown = wanted.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`there is no page ${unknown}; --help lists them`);
  for (const suite of SUITES) {
    const states = suite.stateNames.filter(
      (state) => wanted.length === 0 || wanted.includes(suite.name) || wanted.includes(`${suite.name}/${state}`),
    );
    if (states.length > 0) await makeScreenshotsOfSuite(suite, states, executable);
  }
}

async function makeScreenshotsOfSuite(suite: PageSuite, states: readonly string[], executable: string): Promise<void> {
  const folder = path.join(process.env['SCREENSHOTS'] ?? path.join(REPOSITORY, '.data/screenshots'), suite.name);
  await mkdir(folder, { recursive: true });
  const locale = process.env['SCREENSHOT_LOCALE'] ?? 'en-GB';
  const open = await suite.open(executable);
  try {
    for (const state of states)
      for (const theme of THEMES)
        for (const width of WIDTHS) {
          const look: Look = { theme, width, locale };
          const reached = await open.reach(state, look);
          await makeScreenshot(path.join(folder, `${state}-${theme}-${width}.png`), look, reached);
        }
  } finally {
    await open.close();
  }
}

async function makeScreenshot(file: string, { width }: Look, { opened, error }: ReachedState): Promise<void> {
  const { page, complaints } = opened;
  if (error !== null) {
    // The picture shows where the person is instead.
    process.stdout.write(`${path.basename(file)} was not reached: ${error.message}\n`);
    process.exitCode = 1;
  }
  // A frame outside the visible part would not be painted, and a page without frames may be as high as the window.
  if ((await page.locator('iframe').count()) > 0) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width, height: Math.max(height, page.viewportSize()?.height ?? 0) });
  }
  await page.waitForTimeout(PAINT_MS);
  await page.screenshot({ path: file, fullPage: true });
  process.stdout.write(`${file}${complaints.map((each) => `\n  ${each}`).join('')}\n`);
  if (complaints.length > 0) process.exitCode = 1;
  await opened.leave();
}
