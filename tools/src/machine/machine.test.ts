import { expect, test } from '@jest/globals';
import { RunningCommand } from '../cli/running-command.js';
import { GuestPerson } from './guest-person.js';
import { describeRestaurant } from './in-browser.js';
import { MachinePerson, VISA } from './machine-person.js';

const MINUTES = 60_000;
/** Ends after one accepted delivery. */
const LISTEN = 'listen --events payment_intent.status_updated --count 1 --delete --json';
const ACTIONS_MAX = 3;
const NOTHING_REPORTED = { errors: [], foreignRequests: [] };

describeRestaurant((restaurant) => {
  test(
    'a newcomer starts to listen, takes a card payment and receives its verified webhook, in three actions',
    async () => {
      const { page, report } = await restaurant().openScreen('/');
      const person = new MachinePerson(page);
      const begin = performance.now();
      const listener = new RunningCommand(LISTEN, restaurant().commandSettings);
      const actions = [
        () => listener.untilSays(/"ready"/),
        () => page.getByRole('link', { name: 'Take a card payment' }).click(),
        () => person.presentCard(VISA),
      ];
      for (const act of actions) await act();
      await person.waitForScreen('Paid');
      await person.waitForStatus('Captured');
      expect(await listener.end()).toBe(0);
      const received = listener.output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]));
      expect(received).toContainEqual(
        expect.objectContaining({
          ...{ event: 'payment_intent.status_updated', isAccepted: true },
          data: expect.objectContaining({ paymentStatus: 'Captured' }),
        }),
      );
      expect(received.at(-1)).toEqual({ accepted: 1, failed: 0, refused: 0, waiting: 0 });
      process.stdout.write(
        `A newcomer needed ${Math.round(performance.now() - begin)} ms for the payment and its webhook.\n`,
      );
      expect(actions.length).toBeLessThanOrEqual(ACTIONS_MAX);
      expect(await restaurant().findMismatches()).toEqual([]);
      expect(report).toEqual(NOTHING_REPORTED);
    },
    MINUTES,
  );

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
});
