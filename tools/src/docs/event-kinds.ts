import { EVENT_KINDS, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { EVENT_CAUSES } from '@pos/rest-contracts/webhooks';

/** The table of kinds: what causes each, and whether a subscription has to name it. */
export function renderEventKinds(): string {
  const rows = SUBSCRIBABLE_EVENT_KINDS.map((kind) => {
    const isOptIn = !EVENT_KINDS.some((each) => each === kind);
    return `| \`${kind}\` | ${EVENT_CAUSES[kind]} | ${isOptIn ? 'on request' : 'yes'} |`;
  });
  return `| kind | happens when | in the catalogue |\n|---|---|---|\n${rows.join('\n')}\n`;
}
