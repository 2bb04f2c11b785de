import { expect, test } from '@jest/globals';
import { NOTIFICATION_TYPES, SESSION_STATUSES } from '@pos/core/terminals';
import { findAccessibilityFindings, measureTransfer } from '../web/page-audit.js';
import { GuestPerson } from './guest-person.js';
import { describeRestaurant } from './in-browser.js';
import { AMEX, EMPTY_VISA, MachinePerson, MASTERCARD, VISA } from './machine-person.js';
import { testNewcomer } from './newcomer-scenario.js';

const MINUTES = 60_000;
/** Mostly React; the decimals of all currencies are 0.5 kB of it, the operations of all screens 0.4 kB. */
const TRANSFER_BYTES_MAX = 87 * 1024;
const NOTHING_REPORTED = { errors: [], foreignRequests: [] };

/** Sessions by taps, each with the status in which it ends and what the person does after the amount. */
const SESSIONS: readonly (readonly [string, string, (person: MachinePerson) => Promise<void>])[] = [
  [
    'a chip card with all its troubles',
    'Captured',
    async (person) => {
      await person.startSale('1250');
      for (const [trouble, screen] of [
        ['Two cards at once', 'One card only'],
        ['A loyalty card', 'Card not accepted'],
        ['Tap a chip card', 'Insert card'],
        ['Wrong way round', 'Insert the card again'],
        ['Dirty chip', 'Card cannot be read'],
      ] as const) {
        await person.press(trouble);
        await person.waitForScreen(screen);
      }
      await person.presentCard(MASTERCARD);
      await person.enterPin();
      await person.removeCard();
      await person.waitForScreen('Approved');
    },
  ],
  [
    'a hold',
    'Authorized',
    async (person) => {
      await person.startSale('900', 'Hold');
      await person.presentCard(VISA);
    },
  ],
  [
    'a refund',
    'Captured',
    async (person) => {
      await person.startSale('300', 'Refund');
      await person.presentCard(VISA);
    },
  ],
  [
    'a card without money',
    'Declined',
    async (person) => {
      await person.startSale('900');
      await person.presentCard(EMPTY_VISA);
      await person.waitForScreen('Declined');
    },
  ],
  [
    'an accepted signature',
    'Captured',
    async (person) => {
      await person.startSale('900');
      await person.presentCard(AMEX);
      await person.removeCard();
      await person.waitForStatus('SignatureVerificationRequired');
      await person.press('Accept');
    },
  ],
  [
    'a rejected signature',
    'SignatureVerificationRejected',
    async (person) => {
      await person.startSale('900');
      await person.presentCard(AMEX);
      await person.removeCard();
      await person.waitForStatus('SignatureVerificationRequired');
      await person.press('Reject');
    },
  ],
  [
    'a cancel at the machine',
    'Canceled',
    async (person) => {
      await person.startSale('900');
      await person.press('Cancel');
    },
  ],
  [
    'a cancel with the chip in',
    'Canceled',
    async (person) => {
      await person.startSale('900');
      await person.presentCard(MASTERCARD);
      await person.waitForScreen('Enter PIN');
      await person.press('Cancel');
    },
  ],
  [
    'a cancel from the counter while the machine is unplugged',
    'Canceled',
    async (person) => {
      await person.startSale('900');
      await person.flipSwitch(/^Unplugged/);
      await person.page.getByText('No connection', { exact: true }).waitFor();
      await person.press('Cancel from the counter');
      await person.waitForStatus('CancelRequested');
      await person.flipSwitch(/^Unplugged/);
    },
  ],
  [
    'a machine that is too slow',
    'Expired',
    async (person) => {
      await person.flipSwitch(/^Slow/);
      await person.press('Key in amount');
      await person.page.keyboard.type('900');
      await person.press(/^Charge/);
      await person.waitForStatus('Expired');
      await person.flipSwitch(/^Slow/);
    },
  ],
];

describeRestaurant((restaurant) => {
  testNewcomer(restaurant);

  test(
    'a person pays with the keyboard alone',
    async () => {
      const { page } = await restaurant().openScreen('/machine/90000002');
      const person = new MachinePerson(page);
      await person.waitForScreen('The Oyster Shed');
      // Typed digits begin a sale, and the green key continues.
      await page.keyboard.type('1250', { delay: 50 });
      await page.getByText('£12.50', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await person.waitForScreen('Present card');
      await person.tabTo(/^Mastercard/);
      await page.keyboard.press('Enter');
      await person.enterPin();
      await person.waitForScreen('Remove card');
      await page.locator('body').focus();
      await person.tabTo('Take the card out');
      await page.keyboard.press('Enter');
      await person.waitForScreen('Approved');
      await person.tabTo('Done');
      await page.keyboard.press('Enter');
      await person.waitForScreen('The Oyster Shed');
    },
    MINUTES,
  );

  test(
    'waiter, guest and kitchen see one bill, which is paid in parts at the same time while a machine is unplugged',
    async () => {
      const waiter = await restaurant().openScreen('/machine/90000001');
      const kitchen = await restaurant().openScreen('/epos');
      const machine = new MachinePerson(waiter.page);
      const before = await restaurant().sumLedger();
      const party = await machine.openBill(1);
      const guestScreen = await restaurant().openScreen(await machine.readGuestPath(), { isPhone: true });
      const guest = new GuestPerson(guestScreen.page);

      await kitchen.page.getByRole('button', { name: party }).click();
      await kitchen.page.getByRole('button', { name: /^Lemon tart/ }).click();
      await guest.page.getByText('Lemon tart').first().waitFor();

      await machine.press('Back', 'Split the bill', 'Continue');
      await guest.chooseFirstItem();
      await Promise.all([machine.press('No tip'), guest.startPayment()]);
      await kitchen.page.getByText('The bill cannot change meanwhile').waitFor();
      await Promise.all([machine.payWhileUnplugged(VISA), guest.payByCard()]);

      await machine.press('Next guest', 'No tip');
      await machine.waitForScreen('Present card');
      await machine.presentCard(VISA);
      await machine.page.getByText('The bill is paid').waitFor();
      await guest.page.getByText('The bill is paid. Thank you!').waitFor();

      const { payments, session } = await restaurant().readEposBill(guest.sessionId(guestScreen.page.url()));
      expect(payments).toHaveLength(3);
      expect(payments.reduce((sum, { baseAmount }) => sum + baseAmount, 0)).toBe(session?.totalAmount);
      expect(session).toMatchObject({ paidAmount: session?.totalAmount });
      const recorded = kitchen.page.getByRole('list', { name: 'Recorded payments' });
      for (const { baseAmount } of payments) {
        await recorded
          .getByText(`£${(baseAmount / 100).toFixed(2)}`)
          .first()
          .waitFor();
      }
      expect((await restaurant().sumLedger()) - before).toBe(session?.totalAmount);
      for (const { report } of [waiter, kitchen, guestScreen]) expect(report).toEqual(NOTHING_REPORTED);
    },
    2 * MINUTES,
  );

  test('a browser that prefers German shows German texts', async () => {
    const { page } = await restaurant().openScreen('/machine/90000005', { language: 'de-DE' });
    await page.getByRole('button', { name: 'Tische' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });

  test(
    'every status and notification of a session is reached by taps',
    async () => {
      const { page, report } = await restaurant().openScreen('/machine/90000001');
      const person = new MachinePerson(page);
      const seen = new Set<string>();
      for (const [name, status, act] of SESSIONS) {
        await act(person);
        await person.waitForStatus(status);
        const log = await person.readServiceLog();
        expect([name, log.filter((each) => (SESSION_STATUSES as readonly string[]).includes(each)).at(-1)]).toEqual([
          name,
          status,
        ]);
        for (const each of log) seen.add(each);
        await person.finish();
      }
      expect([...seen].sort()).toEqual([...new Set([...SESSION_STATUSES, ...NOTIFICATION_TYPES])].sort());
      expect(report).toEqual({ errors: [], foreignRequests: [] });
    },
    2 * MINUTES,
  );

  test(
    'every page is accessible in both themes and widths, and its first load is small',
    async () => {
      const { page, report } = await restaurant().openScreen('/machine/90000004');
      const person = new MachinePerson(page);
      await person.waitForScreen('The Oyster Shed');
      const bytes = await measureTransfer(page, restaurant().url, async () => {
        await page.reload();
        await person.waitForScreen('The Oyster Shed');
      });
      expect(bytes).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
      await person.startSale('500');
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await person.press('Cancel');
      for (const path of ['/', '/epos', '/guest/expired']) {
        const screen = await restaurant().openScreen(path);
        await screen.page.getByRole('heading', { level: 1 }).waitFor();
        expect([path, await findAccessibilityFindings(screen.page)]).toEqual([path, []]);
        expect(screen.report.errors).toEqual([]);
      }
      expect(report).toEqual(NOTHING_REPORTED);
    },
    2 * MINUTES,
  );
});
