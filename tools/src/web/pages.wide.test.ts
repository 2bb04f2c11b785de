import { afterAll, beforeAll } from '@jest/globals';
import { findChromium } from '../../chromium/places.js';
import { describePaymentPage } from '../checkout/payment-page-scenarios.js';
import type { DevWorld } from '../dev/world.js';
import { describePortalPages } from '../portal/portal-scenarios.js';
import { startPageWorld } from './page-world.js';

const MINUTES = 60_000;

// One world for the portal and the payment page: to start one takes as long as a quarter of their scenarios.
let world: DevWorld | undefined;
function getWorld(): DevWorld {
  if (world === undefined) throw new Error('the world has not started');
  return world;
}

if (findChromium(process.env) !== null) {
  beforeAll(async () => {
    world = await startPageWorld();
  }, 3 * MINUTES);
  afterAll(async () => world?.remove(), MINUTES);
}

describePortalPages(getWorld);
describePaymentPage(getWorld);
