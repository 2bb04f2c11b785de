import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import { openChromium } from '../checkout/chromium.js';
import type { DevWorld } from '../dev/world.js';
import { TestRestaurant } from './test-restaurant.js';

const MINUTES = 60_000;
const executable = findChromium(process.env);

/**
 * Scenarios of the restaurant on screen, in a real browser, in the world of the caller, or in one of their own. Without a
 * browser, a test with a title reports it.
 */
export function describeRestaurant(
  publish: (restaurant: () => TestRestaurant) => void,
  getWorld?: () => DevWorld,
): void {
  describe('the restaurant on screen, in a browser', () => {
    if (executable === null) reportNotRun();
    else openRestaurant(executable, { publish, openIn: (browser) => TestRestaurant.open(browser, getWorld?.()) });
  });
}

/** It passes, because a machine without a browser is no failure; its title makes it visible in the log. */
function reportNotRun(): void {
  const reason = process.env['NO_CHROMIUM'] ?? 'this machine has no Chromium, and only `npm test` fetches one';
  test(`NOT RUN: ${reason}, so the restaurant on screen was not tested`, () => {
    expect(executable).toBeNull();
  });
}

function openRestaurant(
  program: string,
  {
    publish,
    openIn,
  }: {
    readonly publish: (restaurant: () => TestRestaurant) => void;
    readonly openIn: (browser: Browser) => Promise<TestRestaurant>;
  },
): void {
  let browser: Browser;
  let restaurant: TestRestaurant;
  beforeAll(async () => {
    browser = await openChromium(program);
    restaurant = await openIn(browser);
  }, 2 * MINUTES);
  afterAll(async () => {
    await restaurant.close();
    await browser.close();
  }, MINUTES);
  publish(() => restaurant);
}
