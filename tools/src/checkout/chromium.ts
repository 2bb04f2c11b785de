import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where systems put a Chromium or a Chrome; nothing is ever downloaded for a test. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine, or null when it has none. One that is named by `CHROMIUM` has to be there. */
export function findChromium({ CHROMIUM: named = '' }: Readonly<Record<string, string | undefined>>): string | null {
  if (named === '') return USUAL_PLACES.find((place) => existsSync(place)) ?? null;
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM names ${named}, which is not there`);
}

/** Headless, with a profile of its own, and quiet: it asks nobody for updates. */
export function openChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-proxy-server'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}
