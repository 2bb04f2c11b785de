import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import { openChromium } from '../checkout/chromium.js';
import { Payer } from '../checkout/payer.js';
import { TestShop } from '../checkout/shop.js';
import { REPOSITORY } from '../repository/repository.js';
import { PAGE_STATES, type PageState } from './page-states.js';

const HELP = `Usage: pnpm screenshots [STATE ...]

Makes screenshots of the payment page with Chromium: of every state, or of the named ones, in the light and in the dark,
390 and 1280 pixels wide. Writes them to .data/screenshots, or to the folder SCREENSHOTS. SCREENSHOT_LOCALE=de-DE makes
them in another language; states in which the payer types are reached in English only.

States: ${PAGE_STATES.map(({ name }) => name).join(', ')}
`;

const WIDTHS = [390, 1280] as const;
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const PAINT_MS = 150;

interface Look {
  readonly width: (typeof WIDTHS)[number];
  readonly theme: (typeof THEMES)[number];
}

const names = process.argv.slice(2);
if (names.includes('--help')) process.stdout.write(HELP);
else await makeScreenshots(PAGE_STATES.filter(({ name }) => names.length === 0 || names.includes(name)));

async function makeScreenshots(states: readonly PageState[]): Promise<void> {
  const executable = findChromium(process.env);
  if (executable === null) throw new Error('this machine has no Chromium; name one by CHROMIUM');
  const folder = process.env['SCREENSHOTS'] ?? path.join(REPOSITORY, '.data/screenshots');
  await mkdir(folder, { recursive: true });
  const shop = await TestShop.open();
  const browser = await openChromium(executable);
  try {
    for (const state of states)
      for (const theme of THEMES)
        for (const width of WIDTHS) await makeScreenshot({ browser, shop, folder }, state, { theme, width });
  } finally {
    await browser.close();
    await shop.close();
  }
}

async function makeScreenshot(
  { browser, shop, folder }: { readonly browser: Browser; readonly shop: TestShop; readonly folder: string },
  { name, reach }: PageState,
  { theme, width }: Look,
): Promise<void> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: HEIGHT }, colorScheme: theme, locale: process.env['SCREENSHOT_LOCALE'] ?? 'en-GB' },
  });
  const payer = await Payer.of(context, shop.world);
  try {
    await reach(shop, payer);
  } catch (error) {
    // The picture shows where the payer is instead.
    process.stdout.write(`${name} was not reached: ${String(error)}\n`);
    process.exitCode = 1;
  }
  const file = path.join(folder, `${name}-${theme}-${width}.png`);
  // A frame outside the visible part would not be painted.
  const height = await payer.page.evaluate<number>('document.documentElement.scrollHeight');
  await payer.page.setViewportSize({ width, height: Math.max(height, HEIGHT) });
  await payer.page.waitForTimeout(PAINT_MS);
  await payer.page.screenshot({ path: file });
  process.stdout.write(`${file}${payer.complaints.map((each) => `\n  ${each}`).join('')}\n`);
  await payer.leave();
}
