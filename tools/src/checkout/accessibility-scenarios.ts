import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { Frame, Page } from 'playwright-core';
import { APPROVED, CV2, EXPIRY, NAME } from './cards.js';
import type { Payer } from './payer.js';
import { PAID, type ScenarioContext, SHOP } from './scenario.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules about a whole page, which the frame is not. */
const PAGE_RULES = ['landmark-one-main', 'page-has-heading-one', 'region'];
const runAxe = (isPage: boolean): string => `axe.run(document, {
  resultTypes: ['violations'],
  rules: ${JSON.stringify(Object.fromEntries(PAGE_RULES.map((rule) => [rule, { enabled: isPage }])))},
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;
/** The surface of the page behind the frame, which has no background of its own. */
const PAINT_PANEL = `document.documentElement.style.background =
  matchMedia('(prefers-color-scheme: dark)').matches ? '#1b1f27' : '#ffffff'`;
const TABS_MAX = 20;
const FIRST_LOAD_BYTES_MAX = 40_000;

export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);
const ASKED = { collectionRequired: true };
const ALL_FIELDS = {
  paymentMethods: ['Card', 'Wallet'] as const,
  itemLines: [{ caption: 'Soup', amountTotal: { value: 1250, currencyCode: 'GBP' } }],
  config: {
    ...{ ...SHOP, title: 'Dinner', customerEmail: ASKED, billingAddress: ASKED, shippingDetails: ASKED },
    details: { showTotal: true, showReference: true },
    payment: { tipsAllowed: true },
  },
};

/** What axe finds on the page and in the frames of the vault. */
export async function findViolations(page: Page): Promise<string[]> {
  const frames = page.frames().filter((frame) => frame === page.mainFrame() || frame.url().includes('/client/frame'));
  return (await Promise.all(frames.map((frame) => findFrameViolations(page, frame)))).flat();
}

async function findFrameViolations(page: Page, frame: Frame): Promise<string[]> {
  if (frame !== page.mainFrame()) await frame.evaluate(PAINT_PANEL);
  // As an expression of the debugger, which no policy of the page keeps from running.
  await frame.evaluate(AXE);
  return frame.evaluate<string[]>(runAxe(frame === page.mainFrame()));
}

/** With the keyboard until this field has the focus, in the page or in its frame. */
async function pressTabUntil(payer: Payer, name: string): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await payer.page.keyboard.press('Tab');
    if ((await payer.fields.locator(`input[name=${name}]:focus`).count()) === 1) return;
  }
  throw new Error(`${TABS_MAX} presses of Tab do not reach ${name}`);
}

/** The short ones. */
export function runAccessibilityScenario(cast: ScenarioContext): void {
  test('axe finds nothing on a page with all fields and their errors', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment(ALL_FIELDS));
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    await payer.button.click();
    await payer.waitForAlert('Please check');
    expect(await findViolations(payer.page)).toEqual([]);
  });

  test('the keyboard alone pays: number, name, expiry without its slash, code, Enter', async () => {
    const { shop, payer } = cast();
    const id = await shop.payment();
    await payer.open(id);
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    const { keyboard } = payer.page;
    await pressTabUntil(payer, 'cardNumber');
    for (const typed of [APPROVED.number.replaceAll(' ', ''), NAME, EXPIRY.replace('/', ''), CV2]) {
      await keyboard.type(typed);
      await keyboard.press('Tab');
    }
    expect(await payer.fields.getByLabel('Card number').inputValue()).toBe(APPROVED.number);
    expect(await payer.fields.getByLabel('Expires').inputValue()).toBe(EXPIRY);
    await payer.fields.getByLabel('Security code').press('Enter');
    await payer.waitForHeading(PAID);
    expect(await shop.readStatus(id)).toBe('Captured: Captured');
  });

  test('the first load has at most 40 kB and requests nothing from another party', async () => {
    const { shop, payer } = cast();
    const texts: Promise<string>[] = [];
    payer.page.on('response', (response) => {
      if (!response.url().includes('/payment-intents/')) texts.push(response.text());
    });
    await payer.open(await shop.payment(ALL_FIELDS));
    await payer.fields.getByLabel('Card number').waitFor();
    const bytes = (await Promise.all(texts)).map((text) => gzipSync(text, { level: 9 }).length);
    expect(bytes).toHaveLength(4);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
    const { checkout, api, cardVault } = shop.world.addresses;
    const own = new Set([checkout, ...api, ...cardVault].map((address) => new URL(address).origin));
    expect(payer.sent.map(({ url }) => new URL(url).origin).filter((origin) => !own.has(origin))).toEqual([]);
  });
}

function testOfferedTips(cast: ScenarioContext): void {
  test('the digits of an offered tip stay on one line of a narrow phone', async () => {
    const { shop, another } = cast();
    const payer = await another({ viewport: { width: 320, height: 900 } });
    const config = { payment: { tipsAllowed: true } };
    await payer.open(await shop.payment({ amount: { value: 1_234_567_890, currencyCode: 'GBP' }, config }));
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    const [lines, overflow] = await payer.page.evaluate<[number[], number]>(`[
      [...document.querySelectorAll('.chip small')].map((each) => {
        const text = document.createRange();
        text.selectNodeContents(each);
        return new Set([...text.getClientRects()].map(({ top }) => top)).size;
      }),
      document.documentElement.scrollWidth - innerWidth,
    ]`);
    expect([lines, overflow]).toEqual([[1, 1, 1], 0]);
    await payer.leave();
  });
}

/** Every look of the page with all its fields, with all errors, and at its end. */
export function accessibilityScenarios(cast: ScenarioContext): void {
  testOfferedTips(cast);
  test.each(LOOKS)('axe finds nothing, %j', async (look) => {
    const { shop, another } = cast();
    const payer = await another(look);
    await payer.open(await shop.payment(ALL_FIELDS));
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    expect(await findViolations(payer.page)).toEqual([]);
    await payer.button.click();
    await payer.waitForAlert('Please check');
    expect(await findViolations(payer.page)).toEqual([]);
    await payer.open(
      await shop.payment({ customer: await shop.customerWith(APPROVED), paymentMethods: ['SavedCard'] }),
    );
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    expect(await findViolations(payer.page)).toEqual([]);
    await payer.payBySaved('1014');
    await payer.waitForHeading(PAID);
    expect(await findViolations(payer.page)).toEqual([]);
    await payer.open('pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA');
    expect(await findViolations(payer.page)).toEqual([]);
    expect(payer.complaints).toEqual([]);
    await payer.leave();
  });

  test.each([390, 1280])('nothing is wider than a window of %d pixels, and all inputs have 16 px', async (width) => {
    const { shop, another } = cast();
    const payer = await another({ viewport: { width, height: 900 } });
    await payer.open(await shop.payment({ ...ALL_FIELDS, reference: 'x'.repeat(60) }));
    await payer.fields.getByLabel('Card number').waitFor();
    for (const frame of payer.page.frames()) {
      const [overflow, smallest] = await frame.evaluate<[number, number]>(`[
        document.documentElement.scrollWidth - innerWidth,
        Math.min(...[...document.querySelectorAll('input:not([type=radio], [type=checkbox]), select')].map((each) => parseFloat(getComputedStyle(each).fontSize))),
      ]`);
      expect([overflow, smallest]).toEqual([0, 16]);
    }
    await payer.leave();
  });

  test('the frame is as high as its fields, with and without their errors', async () => {
    const { shop, payer } = cast();
    await payer.open(await shop.payment());
    const frame = payer.page.locator('iframe');
    const getHeights = async () => [
      (await frame.boundingBox())?.height,
      (await payer.fields.locator('form').boundingBox())?.height,
    ];
    await payer.button.and(payer.page.locator(':enabled')).waitFor();
    const [before = 0, fieldsBefore] = await getHeights();
    await payer.button.click();
    await payer.waitForAlert('Please check');
    const [after = 0, fieldsAfter] = await getHeights();
    expect([before, after]).toEqual([Math.ceil(fieldsBefore ?? 0), Math.ceil(fieldsAfter ?? 0)]);
    expect(after).toBeGreaterThan(before);
  });
}
