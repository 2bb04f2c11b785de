import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GuideSection } from '../pages/reference/data/reference-data.js';

/** A page of the documentation that the reference shows. */
export interface GuideSource {
  readonly id: string;
  readonly section: GuideSection;
  /** From the root of the repository. */
  readonly page: string;
  readonly title: string;
  readonly markdown: string;
}

const FOLDER = 'docs/integrate';

/** The order of the guides. A page of the folder that is not listed follows the first section, so none is left out. */
const SECTIONS: Readonly<Record<GuideSection, readonly string[]>> = {
  start: [
    'docs/integrate/quickstart.md',
    'docs/integrate/typescript-sdk.md',
    'docs/integrate/command-line.md',
    'docs/integrate/test-cards-and-amounts.md',
    'docs/integrate/handle-errors.md',
    'docs/integrate/retry-requests-safely.md',
    'docs/integrate/verify-webhook-signatures.md',
    'docs/integrate/webhook-events.md',
    'docs/integrate/go-live.md',
  ],
  payments: ['docs/integrate/payment-pages.md'],
  restaurant: [
    'docs/integrate/pay-at-table.md',
    'docs/integrate/order-and-pay.md',
    'docs/integrate/bookings.md',
    'docs/epos/integration-guide.md',
    'docs/epos/epos-tester.md',
    'docs/epos/device-simulator.md',
    'docs/epos/play-a-restaurant-on-screen.md',
  ],
  tools: ['docs/integrate/use-the-portal.md', 'docs/integrate/activity-log.md', 'docs/reference/pos-command.md'],
  lists: ['CHANGELOG.md', 'docs/reference/api-versions.md', 'docs/reference/glossary.md'],
};

/** Every guide, in the order of the navigation. `repository` is the folder of the repository, which only a build has. */
export function readGuides(repository: string): GuideSource[] {
  const listed = new Set(Object.values(SECTIONS).flat());
  const others = readdirSync(path.join(repository, FOLDER))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${FOLDER}/${file}`)
    .filter((page) => !listed.has(page))
    .sort();
  const sections = { ...SECTIONS, start: [...SECTIONS.start, ...others] };
  return Object.entries(sections).flatMap(([section, pages]) =>
    pages.map((page) => readGuide(repository, page, section as GuideSection)),
  );
}

function readGuide(repository: string, page: string, section: GuideSection): GuideSource {
  const markdown = readFileSync(path.join(repository, page), 'utf8');
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`${page} has no title`);
  return { id: toGuideId(page), section, page, title, markdown };
}

/** `docs/integrate/go-live.md` is the guide `go-live`. */
export function toGuideId(page: string): string {
  return path.posix.basename(page, '.md').toLowerCase();
}
