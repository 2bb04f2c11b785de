import { afterAll, beforeAll, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PortalStage } from './portal-stage.js';
import { RestaurantSeed } from './restaurant-seed.js';
let stage: PortalStage; let page: Page;
beforeAll(async () => { stage = await PortalStage.open('/usr/bin/chromium'); }, 180000);
afterAll(async () => { await stage.close(); }, 60000);
test('shots', async () => {
  ({ page } = await stage.openBrowser());
  await stage.signIn(page);
  const seed = new RestaurantSeed(stage.world);
  const c = await seed.createCustomer('Ada Payer', 'ada@payer.example');
  await seed.createCustomer('Bob Ray', 'bob@payer.example');
  const tid = await seed.startSale();
  const run = await seed.storeTesterRun();
  try { await seed.placeOrder(); } catch (e) { console.log(String(e)); }
  await page.waitForTimeout(4000);
  const shoot = async (name: string) => {
    for (const [w, scheme] of [[1280, 'light'], [390, 'dark']] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: w, height: 860 });
      await page.waitForTimeout(250);
      await page.screenshot({ path: `/var/tmp/portal-people/shots/${name}-${w}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  };
  const go = async (p: string, name: string) => { await page.goto(`${stage.url}${p}`); await page.getByRole('heading', { level: 1 }).waitFor(); await page.waitForTimeout(900); await shoot(name); };
  await go('/customers', 'customers');
  await go(`/customers/${c}`, 'customer');
  await page.getByRole('button', { name: 'Remove: Visa' }).click(); await page.waitForTimeout(300); await shoot('remove');
  await go('/setup-intents', 'setups');
  await page.getByLabel('Reference').fill('table 4, Saturday');
  await page.getByLabel('Most that you may charge').fill('25');
  await page.getByLabel('Terms').fill('If you do not come, we charge £25.00 to this card.');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('link', { name: 'Show the setup intent' }).waitFor(); await shoot('setup-created');
  await page.getByRole('link', { name: 'Show the setup intent' }).click(); await page.getByText('Waiting for the card').waitFor(); await shoot('setup');
  await go('/restaurant', 'restaurant');
  await go('/restaurant/epos', 'epos');
  await go('/restaurant/orders', 'orders');
  await go('/restaurant/terminals', 'terminals');
  await page.getByRole('link', { name: tid }).click(); await page.waitForTimeout(900); await shoot('terminal');
  await page.getByRole('button', { name: 'Pair another machine' }).click(); await page.waitForTimeout(300); await shoot('pair');
  await go('/restaurant/tester-runs', 'runs');
  await go(`/restaurant/tester-runs/${run}`, 'run');
  await go('/payments', 'payments');
  if (process.env['VIEWS']) { }
}, 240000);
