import { type Browser, chromium } from 'playwright-core';
import { chromiumEnvironment } from '../../chromium/places.js';

/** Headless, with its own profile, and quiet: it does not check for updates. */
export function openChromium(executablePath: string): Promise<Browser> {
  const environment = Object.entries(chromiumEnvironment(executablePath, process.env));
  return chromium.launch({
    executablePath,
    headless: true,
    env: Object.fromEntries(environment.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-proxy-server'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}
