import { APPROVED, APPROVED_TOO, CHALLENGED, DECLINED } from '../checkout/cards.js';
import { openChromium } from '../checkout/chromium.js';
import { Payer } from '../checkout/payer.js';
import { TestShop } from '../checkout/shop.js';
import { defineSuite, type PageState } from './page-suite.js';

type CheckoutState = PageState<TestShop, Payer>;

const ASKED = { collectionRequired: true };
const SHOWN = { showTotal: true, showReference: true };
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const LINES = [
  { caption: 'Oysters, half a dozen', amountTotal: gbp(1850), quantity: 1 },
  {
    caption: 'Fish and chips',
    amountTotal: gbp(3200),
    quantity: 2,
    modifiers: [{ id: 'peas', name: 'Mushy peas', quantity: 1, amountPerModifier: gbp(150) }],
  },
  { caption: 'House white, 250 ml', amountTotal: gbp(1700), quantity: 2 },
];
const BILL = { amount: gbp(7050), reference: 'table 4', itemLines: LINES };
const SHOP = { redirectUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/basket' };

/** Opens a payment that is created with these members. */
function open(members: Parameters<TestShop['payment']>[0], then?: CheckoutState['reach']): CheckoutState['reach'] {
  return async (shop, payer) => {
    await payer.open(await shop.payment(members));
    await payer.page.waitForTimeout(300);
    await then?.(shop, payer);
  };
}

/** Shows the look of another merchant, without changing the settings of the account for other states. */
async function showBranding({ context }: Payer, branding: object): Promise<void> {
  await context.route('**/payment-intents/public/*', async (route) => {
    const response = await route.fetch();
    const intent = (await response.json()) as { readonly config: object };
    await route.fulfill({ response, json: { ...intent, config: { ...intent.config, branding } } });
  });
}

/** The same payment in a currency without minor units, which the accounts of this world do not take. */
async function showYen({ context }: Payer): Promise<void> {
  await context.route('**/payment-intents/public/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"GBP"', '"JPY"') });
  });
}

/** Every state that a payer can meet. */
const STATES: readonly CheckoutState[] = [
  { name: 'plain', reach: open({}) },
  {
    name: 'bill',
    reach: open({
      ...BILL,
      paymentMethods: ['Card', 'Wallet'],
      config: { ...SHOP, title: 'Dinner at table 4', details: SHOWN },
    }),
  },
  {
    name: 'branded',
    reach: async (shop, payer) => {
      await showBranding(payer, { accentColor: '#ffd400', font: 'serif' });
      await open({ ...BILL, config: { ...SHOP, title: 'Dinner at table 4', details: SHOWN } })(shop, payer);
    },
  },
  {
    name: 'long-bill',
    reach: open({ ...BILL, itemLines: [...LINES, ...LINES, ...LINES], config: { details: SHOWN } }),
  },
  { name: 'test-cards', reach: open({}, (_, { page }) => page.getByText('Test cards').click()) },
  { name: 'typed', reach: open({ config: { details: SHOWN } }, (_, payer) => payer.type(CHALLENGED)) },
  { name: 'amex', reach: open({}, (_, payer) => payer.type({ number: '3740 0000 0009 108', cv2: '1234' })) },
  {
    name: 'wrong-fields',
    reach: open({ config: { customerEmail: ASKED } }, async (_, payer) => {
      await payer.fields.getByLabel('Card number').fill('4456 5300 0009 1015');
      await payer.fields.getByLabel('Expires').fill('12/20');
      await payer.button.click();
      await payer.waitForAlert('Please check');
    }),
  },
  {
    name: 'addresses',
    reach: open({ config: { customerEmail: ASKED, billingAddress: ASKED, shippingDetails: ASKED, details: SHOWN } }),
  },
  {
    name: 'tips',
    reach: open({ ...BILL, config: { details: SHOWN, payment: { tipsAllowed: true } } }, async (_, { page }) => {
      await page.getByRole('radio', { name: '15 %' }).check();
      await page.getByRole('button', { name: 'Pay £81.08' }).waitFor();
    }),
  },
  {
    name: 'yen',
    reach: async (shop, payer) => {
      await showYen(payer);
      await open({ ...BILL, config: { details: SHOWN, payment: { tipsAllowed: true } } })(shop, payer);
      await payer.page.getByRole('radio', { name: '15 %' }).check();
      await payer.page.waitForTimeout(300);
    },
  },
  {
    name: 'yen-custom-amount',
    reach: async (shop, payer) => {
      await showYen(payer);
      const config = { details: SHOWN, payment: { customAmountAllowed: true, tipsAllowed: true } };
      await open({ amount: gbp(123_456_789), config })(shop, payer);
    },
  },
  {
    name: 'custom-amount',
    reach: open({
      amount: gbp(2500),
      description: 'A donation to the sea rescue.',
      config: { details: SHOWN, payment: { customAmountAllowed: true, tipsAllowed: true } },
    }),
  },
  {
    name: 'saved-cards',
    reach: async (shop, payer) => {
      const customer = await shop.customerWith(APPROVED, APPROVED_TOO);
      await open({ customer, paymentMethods: ['Card', 'SavedCard'], config: { details: SHOWN } })(shop, payer);
    },
  },
  {
    name: 'save-card',
    reach: async (shop, payer) => open({ customer: { id: await shop.customer() } })(shop, payer),
  },
  {
    name: 'declined',
    reach: open({ config: { details: SHOWN } }, async (_, payer) => {
      await payer.pay(DECLINED);
      await payer.waitForAlert('declined');
    }),
  },
  {
    name: 'challenge',
    reach: open({ config: { details: SHOWN } }, async (_, payer) => {
      await payer.pay(CHALLENGED);
      await payer.outside.getByRole('button', { name: 'Pass' }).waitFor();
    }),
  },
  {
    name: 'challenge-failed',
    reach: open({ config: { details: SHOWN } }, async (_, payer) => {
      await payer.pay(CHALLENGED);
      await payer.outside.getByRole('button', { name: 'Fail' }).click();
      await payer.waitForAlert('did not confirm');
    }),
  },
  {
    name: 'wallet',
    reach: open({ paymentMethods: ['Wallet'] }, async (_, { page, outside }) => {
      await page.getByRole('button', { name: 'Google Pay' }).click();
      await outside.getByRole('button').first().waitFor();
    }),
  },
  {
    name: 'paid',
    reach: open({ ...BILL }, async (_, payer) => {
      await payer.pay(APPROVED);
      await payer.waitForHeading('You have paid');
    }),
  },
  {
    name: 'paid-with-way-back',
    reach: async (shop, payer) => {
      const id = await shop.payment({ config: SHOP });
      await payer.open(id);
      await payer.pay(APPROVED);
      await payer.page.waitForURL(/shop\.example/);
      await payer.open(id);
      await payer.page.getByLabel('E-mail').fill('guest@example.com');
      await payer.page.getByRole('button', { name: 'Send receipt' }).click();
      await payer.page.getByText('on its way').waitFor();
    },
  },
  {
    name: 'setup',
    reach: async (shop, payer) => {
      const terms = 'We may charge up to £25.00 for each guest who does not come, until the day after your booking.';
      await payer.open(await shop.setup({ terms, intendedAmount: gbp(5000) }));
      await payer.page.waitForTimeout(300);
    },
  },
  {
    name: 'cancelled',
    reach: async (shop, payer) => {
      const id = await shop.payment();
      await shop.cancel(id);
      await payer.open(id);
    },
  },
  {
    name: 'expired',
    reach: async (shop, payer) => {
      const id = await shop.patient.payment();
      await shop.patient.advance('31.00:00:00');
      await payer.open(id);
    },
  },
  { name: 'mistyped', reach: (_, payer) => payer.open('pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA') },
  { name: 'no-method', reach: open({ paymentMethods: ['SavedCard'], config: SHOP }) },
  {
    name: 'unreachable',
    reach: async (shop, payer) => {
      await payer.context.route('**/payment-intents/public/**', (route) => route.abort());
      await payer.open(await shop.payment());
    },
  },
  {
    name: 'vault-unreachable',
    reach: async (shop, payer) => {
      await payer.page.clock.install();
      await payer.context.route('**/client/frame', (route) => route.abort());
      await payer.open(await shop.payment({ config: { details: SHOWN } }));
      await payer.page.clock.fastForward(15_000);
      await payer.page.getByText('could not be loaded').waitFor();
    },
  },
];

/** The hosted payment page. */
export const CHECKOUT_SUITE = defineSuite<TestShop, Payer>({
  name: 'checkout',
  states: STATES,
  open: async (executable) => {
    const shop = await TestShop.open();
    const browser = await openChromium(executable);
    return {
      stage: shop,
      openPage: async (context) => Payer.of(await browser.newContext(context), shop.world),
      close: async () => {
        await browser.close();
        await shop.close();
      },
    };
  },
});
