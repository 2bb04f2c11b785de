import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findChromium } from '../../chromium/places.js';
import type { DevWorld } from '../dev/world.js';
import { findAccessibilityFindings, measureTransfer, type PageReport } from '../web/page-audit.js';
import type { PortalPage } from './portal-pages.js';
import { PortalStage } from './portal-stage.js';

export const MINUTE = 60_000;
const FIRST_LOAD_BYTES_MAX = 150 * 1024;
export const ROUTE_BYTES_MAX = 60 * 1024;
const executable = findChromium(process.env);

/** The portal with one browser, in which the tests of a file work one after another. */
export interface PortalScene {
  readonly stage: PortalStage;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly report: PageReport;
  /** The gzip bytes of the sign-in, which a visitor loads first. */
  readonly firstLoad: number;
  /** Opens a page, and waits for its title and its data. */
  readonly open: (address: string, title: string, on?: Page) => Promise<void>;
}

/**
 * Tests of the portal in a browser, in the world of the caller, or in one of their own. Without a browser, a test with a
 * title reports it.
 */
export function describePortal(publish: (getScene: () => PortalScene) => void, getWorld?: () => DevWorld): void {
  describe('the portal, in a browser', () => {
    if (executable === null) reportNotRun();
    else openScene(publish, () => PortalStage.open(executable, getWorld?.()));
  });
}

/** It passes, because a machine without a browser is no failure; its title makes it visible in the log. */
function reportNotRun(): void {
  test('NOT RUN: this machine has no Chromium, so the portal was not tested', () => expect(executable).toBeNull());
}

function openScene(publish: (getScene: () => PortalScene) => void, openStage: () => Promise<PortalStage>): void {
  let stage: PortalStage | undefined;
  let scene: PortalScene;
  beforeAll(async () => {
    const opened = (stage = await openStage());
    const { context, page, report } = await opened.openBrowser();
    const firstLoad = await measureTransfer(page, opened.url, async () => {
      await page.goto(opened.url);
      await findTitle(page, 'Sign in').waitFor();
    });
    const open = async (address: string, title: string, on = page): Promise<void> => {
      await on.goto(`${opened.url}${address}`);
      await findTitle(on, title).waitFor();
      // Not a function of the page: its content policy forbids to evaluate one.
      await on.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    };
    scene = { stage: opened, context, page, report, firstLoad, open };
  }, 3 * MINUTE);
  // Undefined when the stage could not be opened.
  afterAll(async () => stage?.close(), MINUTE);

  publish(() => scene);

  test('no page broke the content policy, failed, or called another origin', () => {
    expect(scene.report).toEqual({ errors: [], foreignRequests: [] });
  });
}

export function findTitle(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

/** Each page in its themes and widths. */
export function testAudits(getScene: () => PortalScene, pages: readonly PortalPage[]): void {
  test.each(pages)(
    '%s is accessible in both themes and widths',
    async (address, name) => {
      const { page, open } = getScene();
      await open(address, name);
      expect(await findAccessibilityFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    MINUTE,
  );
}

/** The first load, and what each page loads beside it. */
export function testBudgets(getScene: () => PortalScene, pages: readonly PortalPage[]): void {
  test(
    'the first load and each page stay within their budgets',
    async () => {
      const { stage, page, firstLoad, open } = getScene();
      expect(firstLoad).toBeGreaterThan(50 * 1024);
      expect(firstLoad).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
      for (const [address, title] of pages) {
        const bytes = await measureTransfer(page, stage.url, () => open(address, title));
        expect({ address, isWithin: bytes - firstLoad <= ROUTE_BYTES_MAX }).toEqual({ address, isWithin: true });
      }
    },
    MINUTE,
  );
}
