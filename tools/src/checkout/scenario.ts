import type { BrowserContextOptions } from 'playwright-core';
import type { Payer } from './payer.js';
import type { TestShop } from './shop.js';

/** The actors of a scenario: the integrator, and a payer with a new browser. */
export type ScenarioContext = () => {
  readonly shop: TestShop;
  readonly payer: Payer;
  /** Another payer, with a browser of this look and language. */
  readonly another: (look?: BrowserContextOptions) => Promise<Payer>;
};

export const SHOP = { redirectUrl: 'https://shop.example/thanks?from=pay', cancelUrl: 'https://shop.example/basket' };
export const PAID = 'You have paid';
