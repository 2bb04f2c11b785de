import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import type { DevWorld } from '../dev/world.js';
import { openChromium } from './chromium.js';
import { Payer } from './payer.js';
import { TestShop } from './shop.js';
import type { ScenarioContext } from './scenario.js';

const MINUTES = 60_000;
const executable = findChromium(process.env);

/**
 * Scenarios of the payment page, each with a new payer in a real browser, in the world of the caller, or in one of their
 * own. Without a browser, a test with a title reports it.
 */
export function describeInBrowser(publish: (cast: ScenarioContext) => void, getWorld?: () => DevWorld): void {
  describe('the payment page, in a browser', () => {
    if (executable === null) reportNotRun();
    else openPage(publish, { executable, openShop: () => TestShop.open(getWorld?.()) });
  });
}

/** It passes, because a machine without a browser is no failure; its title makes it visible in the log. */
function reportNotRun(): void {
  const reason = process.env['NO_CHROMIUM'] ?? 'this machine has no Chromium, and only `npm test` fetches one';
  test(`NOT RUN: ${reason}, so the payment page was not tested`, () => {
    process.stderr.write(
      `\n*** The scenarios of the payment page were NOT RUN: ${reason}.\n` +
        '*** Install one (`apt-get install chromium`) or name it (`CHROMIUM=/path/to/chrome npm test`).\n\n',
    );
    expect(executable).toBeNull();
  });
}

function openPage(
  publish: (cast: ScenarioContext) => void,
  { executable, openShop }: { readonly executable: string; readonly openShop: () => Promise<TestShop> },
): void {
  let shop: TestShop;
  let browser: Browser;
  let payer: Payer;

  /** A payer whose browser opens during the previous scenario, so that no test waits for it. */
  let next: Promise<Payer>;
  const leaving: Promise<void>[] = [];
  const opened: { close(): Promise<void> }[] = [];
  const another = async (look: BrowserContextOptions = {}): Promise<Payer> =>
    Payer.of(await browser.newContext({ locale: 'en-GB', ...look }), shop.world);

  beforeAll(async () => {
    opened.push((shop = await openShop()));
    opened.push((browser = await openChromium(executable)));
    next = another();
  }, 2 * MINUTES);
  afterAll(async () => {
    await Promise.all([...leaving, next.then((unused) => unused.leave())]);
    for (const each of opened.reverse()) await each.close();
  }, MINUTES);
  beforeEach(async () => {
    payer = await next;
    next = another();
  });
  afterEach(() => {
    leaving.push(payer.leave());
    // No scenario may need what the policies forbid.
    expect(payer.complaints).toEqual([]);
  });

  publish(() => ({ shop, payer, another }));
}
