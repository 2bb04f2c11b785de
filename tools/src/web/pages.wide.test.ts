import { afterAll, beforeAll } from '@jest/globals';
import { findChromium } from '../../chromium/places.js';
import { describePaymentPage } from '../checkout/payment-page-scenarios.js';
import type { DevWorld } from '../dev/world.js';
import { describeRestaurant } from '../machine/in-browser.js';
import { testNewcomer } from '../machine/newcomer-scenario.js';
import { describePortalPages } from '../portal/portal-scenarios.js';
import { startPageWorld } from './page-world.js';

const MINUTES = 60_000;
const isLong = process.env['LONG'] === '1';
/** `npm test` has the restaurant in the same world, whose machines wait for persons. The long run has it in another. */
const MACHINE_TIME_SCALE = 4;

// One world for all pages: to start one takes as long as many of their scenarios.
let world: DevWorld | undefined;
function getWorld(): DevWorld {
  if (world === undefined) throw new Error('the world has not started');
  return world;
}

if (findChromium(process.env) !== null) {
  beforeAll(async () => {
    world = await (isLong ? startPageWorld() : startPageWorld({ 'epos-tester': 0 }, MACHINE_TIME_SCALE));
  }, 3 * MINUTES);
  afterAll(async () => world?.remove(), MINUTES);
}

// First: it compares all money of the restaurant, at its machines only.
if (!isLong) describeRestaurant(testNewcomer, getWorld);
describePortalPages(getWorld);
describePaymentPage(getWorld);
