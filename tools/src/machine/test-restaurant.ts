import { mkdtemp } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Scope } from '@pos/core/identity';
import { computeBalances } from '@pos/core/ledger';
import { type Client, openClient } from '@pos/rest-contracts/client';
import { listEposPayments, listEposSessions } from '@pos/rest-contracts/sandbox';
import type { Database } from '@pos/store/database';
import { listLedgerEntries } from '@pos/store/ledger';
import { findRows, paymentIntents } from '@pos/store/relations';
import { openDatabase } from '@pos/store/startup';
import { startWorld, type DevWorld } from '../dev/world.js';
import { findRecordMismatches, type LedgerSources } from '../e2e/books.js';
import { getAcquirerAddress } from '../e2e/stage.js';
import { watchPages, type PageReport } from '../web/page-audit.js';

/** The windows of sessions take a quarter of their time, so that an expiry is no long wait. */
const TIMES = { SIMULATOR_TIME_SCALE: '4', INQUIRY_INTERVAL_MS: '300' } as const;
const STEP_MS_MAX = 30_000;

/** A page of the restaurant that a person uses, and what its browser reported. */
export interface OpenScreen {
  readonly page: Page;
  readonly report: PageReport;
}

/** A running service with a restaurant on screen, and a browser for each person. */
export class TestRestaurant {
  private constructor(
    readonly world: DevWorld,
    private readonly browser: Browser,
    private readonly database: Database,
    /** Whether the world ends with the restaurant. */
    private readonly isWorldOwn: boolean,
  ) {}

  /** A restaurant in a world that runs already, or in one of its own. */
  static async open(browser: Browser, running?: DevWorld): Promise<TestRestaurant> {
    const world = running ?? (await startRestaurantWorld());
    const { encryptionKey, keyPepper } = world.secrets;
    const database = await openDatabase({
      ...{ url: world.databaseUrl, applicationName: 'machine' },
      secrets: { encryptionKey: Buffer.from(encryptionKey, 'base64'), pepper: keyPepper },
    });
    return new TestRestaurant(world, browser, database, running === undefined);
  }

  get url(): string {
    return this.world.addresses.sandbox;
  }

  get #sandbox(): Client {
    return openClient({ baseUrl: this.url, apiKey: null });
  }

  /** The account of the restaurant that the pages show first. */
  get #account() {
    const [account] = this.world.accounts;
    if (account === undefined) throw new Error('the world has no account');
    return account;
  }

  /** A person opens a page in a browser of their own. `language` is what their browser prefers. */
  async openScreen(path: string, { language = 'en-GB', isPhone = false } = {}): Promise<OpenScreen> {
    const viewport = isPhone ? { width: 390, height: 844 } : { width: 1280, height: 900 };
    const screen = await this.openBrowser({ locale: language, viewport, reducedMotion: 'reduce' });
    await screen.page.goto(`${this.url}${path}`);
    return screen;
  }

  /** A browser of a new person, with an empty page. */
  async openBrowser(options: BrowserContextOptions): Promise<OpenScreen> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(STEP_MS_MAX);
    const { checkout, cardVault, api } = this.world.addresses;
    // A payer continues on the payment page.
    const report = await watchPages(context, [this.url, checkout, ...cardVault, ...api]);
    return { page: await context.newPage(), report };
  }

  /** The settings of `pos` for the integrator. */
  get commandSettings() {
    const { accounts, addresses } = this.world;
    return { POS_API_URL: addresses.api[0] ?? '', POS_API_KEY: accounts[0]?.keys.full ?? '' };
  }

  /** What payers have paid by the ledger, in minor units, over all payments of the restaurant. */
  async sumLedger(): Promise<number> {
    const scope: Scope = { accountId: this.#account.accountId, environment: 'sandbox' };
    return this.database.readSnapshot(scope, async (reader) => {
      let sum = 0;
      for (const { id } of await findRows(reader, paymentIntents, { where: {} })) {
        const { card_hold, card_receivable } = computeBalances(await listLedgerEntries(reader, id));
        sum += card_hold + card_receivable;
      }
      return sum;
    });
  }

  /**
   * The differences between the books of the acquirer, of the EPOS and of the service; empty when all sums agree. It
   * knows payments on card machines only.
   */
  async findMismatches(): Promise<string[]> {
    const { accountId, merchantId } = this.#account;
    const scope: Scope = { accountId, environment: 'sandbox' };
    const sources: LedgerSources = {
      ...{ database: this.database, sandbox: this.#sandbox, scope, merchantId },
      acquirerAddress: await getAcquirerAddress(this.world, this.database),
    };
    return findRecordMismatches(sources);
  }

  /** The payments on the bill of a session at the EPOS, and its sums. */
  async readEposBill(sessionId: string) {
    const params = { accountId: this.#account.accountId };
    const [{ payments }, { sessions }] = await Promise.all([
      this.#sandbox(listEposPayments, { params }),
      this.#sandbox(listEposSessions, { params }),
    ]);
    const session = sessions.find((each) => each.sessionId === sessionId);
    return { payments: payments.filter((payment) => payment.sessionId === sessionId), session };
  }

  async close(): Promise<void> {
    await this.database.close();
    if (this.isWorldOwn) await this.world.remove();
  }
}

async function startRestaurantWorld(): Promise<DevWorld> {
  const dataDir = await mkdtemp('/var/tmp/pos-machine-');
  return startWorld({
    ...{ dataDir, ports: 'free', restaurants: 2, durable: false },
    ...{ count: { 'epos-tester': 0 }, env: { '*': TIMES } },
  });
}
