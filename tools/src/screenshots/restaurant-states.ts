import { openChromium } from '../checkout/chromium.js';
import { GuestPerson } from '../machine/guest-person.js';
import { AMEX, EMPTY_VISA, MachinePerson, MASTERCARD, VISA } from '../machine/machine-person.js';
import { TestRestaurant } from '../machine/test-restaurant.js';
import { defineSuite, type PageState, type OpenPage } from './page-suite.js';

type RestaurantState = PageState<TestRestaurant, OpenPage>;

const TID = '90000001';
/** The first table in the list whose bill the pictures show. */
const TABLE = 1;
const IDLE = 'The Oyster Shed';
/** What ends any screen of a machine, in the order in which the buttons are tried. */
const ENDINGS = /^(Done|Take the card out|Reject|Cancel|Back|No tip)$/;
const ENDINGS_MAX = 12;
const CANCEL_MS = 500;

/** Opens the machine, and ends what the last picture has left on it. */
async function openMachine({ url }: TestRestaurant, { page }: OpenPage): Promise<MachinePerson> {
  await page.goto(`${url}/machine/${TID}`);
  const person = new MachinePerson(page);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  for (const pressed of await page.getByRole('switch', { checked: true }).all()) await pressed.click();
  for (let count = 0; count < ENDINGS_MAX && (await heading.innerText()) !== IDLE; count += 1) {
    const [button] = await person.button(ENDINGS).and(page.locator(':enabled')).all();
    await button?.click().catch(() => undefined);
    await page.waitForTimeout(300);
  }
  await person.waitForScreen(IDLE);
  return person;
}

/** A state of the machine: its name, and what a person does after it is idle. */
function onMachine(name: string, act: (person: MachinePerson) => Promise<unknown>): RestaurantState {
  return {
    name: `machine-${name}`,
    reach: async (restaurant, opened) => {
      await act(await openMachine(restaurant, opened));
    },
  };
}

/** A state of the guest's page: what the guest does once they see the bill. */
function onPhone(name: string, act: (guest: GuestPerson) => Promise<unknown>): RestaurantState {
  return {
    name: `guest-${name}`,
    reach: async (restaurant, opened) => {
      const waiter = await openMachine(restaurant, opened);
      await waiter.openBill(TABLE);
      await opened.page.goto(`${restaurant.url}${await waiter.readGuestPath()}`);
      await opened.page.getByText('Still to pay').waitFor();
      await act(new GuestPerson(opened.page));
    },
  };
}

const nothing = (): Promise<void> => Promise.resolve();

/** Every page of the restaurant on screen. */
const STATES: readonly RestaurantState[] = [
  {
    name: 'start',
    reach: async ({ url }, { page }) => {
      await page.goto(url);
      await page.getByRole('link', { name: 'Take a card payment' }).waitFor();
    },
  },
  onMachine('idle', nothing),
  onMachine('tables', async (person) => {
    await person.press('Tables');
    await person
      .button(/guests/)
      .first()
      .waitFor();
  }),
  onMachine('bill', (person) => person.openBill(TABLE)),
  onMachine('split', async (person) => {
    await person.openBill(TABLE);
    await person.press('Split the bill');
    await person.button('Continue').waitFor();
  }),
  onMachine('split-amount', async (person) => {
    await person.openBill(TABLE);
    await person.press('Split the bill', 'An amount');
  }),
  onMachine('split-items', async (person) => {
    await person.openBill(TABLE);
    await person.press('Split the bill', 'By item');
    await person.page.getByRole('checkbox').first().check();
  }),
  onMachine('tip', async (person) => {
    await person.openBill(TABLE);
    await person.press(/^Pay £/);
    await person.button('No tip').waitFor();
  }),
  onMachine('code', async (person) => {
    await person.openBill(TABLE);
    await person.readGuestPath();
  }),
  onMachine('amount', async (person) => {
    await person.press('Key in amount', 'Sale');
    await person.page.keyboard.type('1250');
  }),
  onMachine('present-card', (person) => person.startSale('1250')),
  onMachine('wrong-card', async (person) => {
    await person.startSale('1250');
    await person.press('Two cards at once');
    await person.waitForScreen('One card only');
  }),
  onMachine('pin', async (person) => {
    await person.startSale('1250');
    await person.presentCard(MASTERCARD);
    await person.waitForScreen('Enter PIN');
    await person.page.keyboard.type('12');
  }),
  onMachine('remove-card', async (person) => {
    await person.startSale('1250');
    await person.presentCard(MASTERCARD);
    await person.enterPin();
    await person.waitForScreen('Remove card');
  }),
  onMachine('signature', async (person) => {
    await person.startSale('1250');
    await person.presentCard(AMEX);
    await person.removeCard();
    await person.waitForScreen('Please sign');
  }),
  onMachine('approved', async (person) => {
    await person.startSale('1250');
    await person.presentCard(VISA);
    await person.waitForStatus('Captured');
  }),
  onMachine('receipt', async (person) => {
    await person.startSale('1250');
    await person.presentCard(VISA);
    await person.press('Receipt');
    await person.page.getByRole('document', { name: 'Receipt' }).waitFor();
  }),
  onMachine('declined', async (person) => {
    await person.startSale('1250');
    await person.presentCard(EMPTY_VISA);
    await person.waitForScreen('Declined');
  }),
  onMachine('unplugged', async (person) => {
    await person.flipSwitch(/^Unplugged/);
    await person.page.getByText('No connection', { exact: true }).waitFor();
  }),
  {
    name: 'machine-unknown',
    reach: async ({ url }, { page }) => {
      await page.goto(`${url}/machine/1`);
      await page.getByText('There is no such card machine').waitFor();
    },
  },
  onPhone('bill', nothing),
  onPhone('share', (guest) => guest.page.getByRole('button', { name: 'My share' }).click()),
  onPhone('items', (guest) => guest.chooseFirstItem()),
  onPhone('card', async (guest) => {
    await guest.chooseFirstItem();
    await guest.startPayment();
    await guest.page.getByRole('link', { name: /by card/ }).waitFor();
  }),
  {
    name: 'guest-expired',
    reach: async ({ url }, { page }) => {
      await page.goto(`${url}/guest/expired`);
      await page.getByText('This link has expired').waitFor();
    },
  },
  {
    name: 'kitchen',
    reach: async ({ url }, { page }) => {
      await page.goto(`${url}/epos`);
      await page.getByText('Choose a table to see its bill.').waitFor();
    },
  },
  {
    name: 'kitchen-bill',
    reach: async ({ url }, { page }) => {
      await page.goto(`${url}/epos`);
      await page.getByRole('button', { name: /£/ }).nth(TABLE).click();
      await page.getByText('Add to the bill').waitFor();
    },
  },
];

/** The card machine, the guest's page, the kitchen and the start page of the sandbox. */
export const RESTAURANT_SUITE = defineSuite<TestRestaurant, OpenPage>({
  name: 'restaurant',
  states: STATES,
  open: async (executable) => {
    const browser = await openChromium(executable);
    const restaurant = await TestRestaurant.open(browser);
    return {
      stage: restaurant,
      openPage: async (options) => {
        const { page, report } = await restaurant.openBrowser(options);
        const leave = async () => {
          // What a picture has left running would change the next ones.
          const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
          if (await cancel.isVisible()) await cancel.click().then(() => page.waitForTimeout(CANCEL_MS));
          await page.context().close();
        };
        return { page, complaints: report.errors, leave };
      },
      close: async () => {
        await restaurant.close();
        await browser.close();
      },
    };
  },
});
