import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** The themes, and the widths in CSS pixels, in which every page is looked at: each once, and all pairs in the long run. */
const LOOKS = [
  ['light', 390],
  ['dark', 1280],
  ...(process.env['LONG'] === '1'
    ? ([
        ['light', 1280],
        ['dark', 390],
      ] as const)
    : []),
] as const;

/** What a browser reports of its pages that no page may cause. */
export interface PageReport {
  /** Violations of the content policy, and uncaught errors of scripts. */
  readonly errors: string[];
  /** Addresses of requests to origins that the page may not call. */
  readonly foreignRequests: string[];
}

/** Runs before the scripts of every page and frame. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('content policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Records violations, script errors and requests to other origins than `origins`, from now on. */
export async function watchPages(context: BrowserContext, origins: readonly string[]): Promise<PageReport> {
  const report: PageReport = { errors: [], foreignRequests: [] };
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on('weberror', (error) => report.errors.push(error.error().message));
  context.on('console', (message) => {
    if (/content policy|content security policy|trusted type/i.test(message.text())) report.errors.push(message.text());
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && !origins.includes(origin)) {
      report.foreignRequests.push(request.url());
    }
  });
  return report;
}

interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Lists the accessibility findings of the page in each theme and width, one line each: theme, width, rule and element.
 * Motion is reduced, so that no colour is measured during a transition.
 */
export async function findAccessibilityFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  const { height } = page.viewportSize() ?? { height: 800 };
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    const violations = await runAxe(page);
    findings.push(
      ...violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${colorScheme} ${width}: ${id}: ${help}: ${html}`),
      ),
    );
    if (await overflowsSideways(page)) findings.push(`${colorScheme} ${width}: the page is wider than the window`);
  }
  return findings;
}

async function runAxe(page: Page): Promise<readonly AxeViolation[]> {
  await page.evaluate(AXE);
  return page.evaluate<readonly AxeViolation[]>('axe.run(document).then(({ violations }) => violations)');
}

function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
}

/** The gzip bytes of every script, style and page that the browser loads from `origin` while `load` runs. */
export async function measureTransfer(page: Page, origin: string, load: () => Promise<void>): Promise<number> {
  const sizes: Promise<number>[] = [];
  const listen = (response: Response): void => {
    const { origin: of, pathname } = new URL(response.url());
    // A stream of events has no end.
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream') === true;
    const isPage = !isStream && (pathname.startsWith('/assets/') || !/\.\w+$/.test(pathname));
    if (of === origin && isPage) sizes.push(readBody(response).then((body) => gzipSync(body).length));
  };
  page.on('response', listen);
  await load();
  page.off('response', listen);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** A browser forgets the body of an answer once its page has gone: a file is the same when it is read again. */
async function readBody(response: Response): Promise<Uint8Array> {
  try {
    return await response.body();
  } catch {
    return new Uint8Array(await (await fetch(response.url())).arrayBuffer());
  }
}
