import { describeMachine } from '../load/load-table.js';
import { sumApps } from '../../processes/processor-time.js';
import type { AppProfile } from './profile-parts.js';

/** Parts below this share are one row. */
const SHARE_MIN = 0.02;

/** The profiles as the tables of docs/contribute/performance.md. */
export function formatProfiles(profiles: readonly AppProfile[]): string {
  return [`Measured with ${describeMachine()}, with 16 in flight.`, '', ...profiles.flatMap(formatProfile)].join('\n');
}

function formatProfile({ what, app, load, parts }: AppProfile): string[] {
  const ms = sumApps(load.processor);
  const large = parts.filter(({ share }) => share >= SHARE_MIN);
  const rest = parts.filter(({ share }) => share < SHARE_MIN);
  const rows = [...large, { part: `${rest.length} others`, share: rest.reduce((sum, { share }) => sum + share, 0) }];
  return [
    `A round of ${what}, takes ${ms.toFixed(2)} ms of the processor in ${app} and ${load.processor.database.toFixed(2)} ms in PostgreSQL:`,
    '',
    `| part of ${app} | ms a round | share |`,
    '|---|---|---|',
    ...rows.map(({ part, share }) => `| ${part} | ${(ms * share).toFixed(2)} | ${(share * 100).toFixed(0)} % |`),
    '',
  ];
}
