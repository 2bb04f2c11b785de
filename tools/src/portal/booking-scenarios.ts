import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityFindings } from '../web/page-audit.js';
import type { PortalStage } from './portal-stage.js';
import { RestaurantSeed } from './restaurant-seed.js';

const MINUTE = 60_000;
const RESERVATIONS = '**/portal/api/epos/reservations';

let year = 2030;
/** A first of March on which no other test, and no earlier attempt of this one, has reserved a table. */
function chooseDay(): string {
  year += 1;
  return `${year}-03-01`;
}

interface BookingScene {
  readonly stage: PortalStage;
  readonly page: Page;
  readonly open: (address: string, title: string) => Promise<void>;
}

/** What staff do about reservations at the simulated EPOS. */
export function testBookings(getScene: () => BookingScene): void {
  testReservation(getScene);
  testLostAnswer(getScene);
}

function testReservation(getScene: () => BookingScene): void {
  test(
    'a table is reserved, the reservation is changed, and it is cancelled after a question that names it',
    async () => {
      const { stage, page, open } = getScene();
      await new RestaurantSeed(stage.world).registerEpos();
      await open(`/bookings?day=${chooseDay()}`, 'Bookings');
      await page.getByRole('heading', { name: 'No reservations on this day' }).waitFor();
      await fillReservation(page, 'Ada');
      const dialog = page.getByRole('dialog');
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await dialog.getByRole('button', { name: 'Reserve' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row').filter({ hasText: 'Ada' });
      await row.getByText('19:00 – 21:00').waitFor();
      await row.getByText('Expected').waitFor();
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });

      await page.getByRole('button', { name: 'Change the reservation of Ada' }).click();
      await dialog.getByLabel('Number of people').fill('5');
      await dialog.getByLabel('Until').fill('00:30');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await row.getByText('19:00 – 2 Mar, 00:30').waitFor();
      await row.getByRole('cell', { name: '5', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Cancel the reservation of Ada' }).click();
      await page
        .getByRole('dialog', { name: 'Cancel the reservation of Ada?' })
        .getByRole('button', { name: 'Cancel', exact: true })
        .click();
      await row.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'No reservations on this day' }).waitFor();
    },
    MINUTE,
  );
}

function testLostAnswer(getScene: () => BookingScene): void {
  test(
    'a reservation whose answer is lost is sent again as it was, and is made once',
    async () => {
      const { page, open } = getScene();
      // An attempt that failed before its request leaves its answer to the next one.
      await page.unroute(RESERVATIONS);
      await open(`/bookings?day=${chooseDay()}`, 'Bookings');
      await fillReservation(page, 'Grace');
      const dialog = page.getByRole('dialog');
      // The EPOS has the reservation, and the page does not receive the answer.
      await page.route(RESERVATIONS, answerLate, { times: 1 });
      await dialog.getByRole('button', { name: 'Reserve' }).click();
      await dialog.getByText(/^The EPOS did not answer/).waitFor();
      expect(await dialog.getByLabel('Name').isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByText('The reservation of Grace has no answer yet.').waitFor();
      await page.getByRole('button', { name: 'Send again' }).click();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.waitFor({ state: 'detached' });
      const rows = page.getByRole('row').filter({ hasText: 'Grace' });
      await rows.first().waitFor();
      await page.reload();
      await rows.first().waitFor();
      expect(await rows.count()).toBe(1);
      await page.getByRole('button', { name: 'Cancel the reservation of Grace' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
      await rows.first().waitFor({ state: 'detached' });
    },
    MINUTE,
  );
}

/** Fills the dialog of a new reservation: the day is that of the list, the times are those that it proposes. */
async function fillReservation(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New reservation' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
}

interface Route {
  fetch(): Promise<unknown>;
  fulfill(answer: object): Promise<void>;
}

/** As the API answers when the EPOS has made the reservation, and its answer was lost. */
async function answerLate(route: Route): Promise<void> {
  await route.fetch();
  await route.fulfill({
    ...{ status: 504, contentType: 'application/problem+json' },
    body: JSON.stringify({ status: 504, reason: 'epos_unanswered', detail: '', title: '', errors: {} }),
  });
}
