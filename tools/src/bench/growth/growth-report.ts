import { sumApps } from '../../processes/processor-time.js';
import { describeMachine } from '../load/load-table.js';
import type { GrowthFindings, GrowthRow } from './bench-growth.js';

/** The results as the table of docs/contribute/performance.md: of each listing its slowest page. */
export function formatGrowthReport({ size, plantedRows, plantedSeconds, load, rows }: GrowthFindings): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  return [
    `Measured with ${describeMachine()}, at an average load of ${load.toFixed(1)}: ${formatCount(size.intents)} payment intents of one account, ` +
      `${formatCount(plantedRows)} rows, inserted in ${plantedSeconds.toFixed(0)} s.`,
    '',
    '| what | slowest page | p50 ms | p99 ms | api ms | PostgreSQL ms | rows read | buffers read |',
    '|---|---|---|---|---|---|---|---|',
    ...names.map((name) => formatListing(rows.filter((row) => row.name === name))),
    '',
  ].join('\n');
}

/** The pages whose statements read more rows than they may, in a sentence each. */
export function listUnbounded(rows: readonly GrowthRow[]): string[] {
  return rows.flatMap(({ name, page, rowsMax, reads }) =>
    reads.rows <= rowsMax ? [] : [`${name}, ${page}: ${reads.rows} rows, at most ${rowsMax}: ${reads.text}`],
  );
}

function formatListing(pages: readonly GrowthRow[]): string {
  const [slowest] = [...pages].sort((first, second) => second.p99Ms - first.p99Ms);
  if (slowest === undefined) return '';
  const { name, page, p50Ms, p99Ms, processor } = slowest;
  const most = [
    Math.max(...pages.map(({ reads }) => reads.rows)),
    Math.max(...pages.map(({ reads }) => reads.buffers)),
  ];
  const times = [p50Ms.toFixed(1), p99Ms.toFixed(1), sumApps(processor).toFixed(2), processor.database.toFixed(2)];
  return `| ${[name, page, ...times, ...most.map(formatCount)].join(' | ')} |`;
}

const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');
