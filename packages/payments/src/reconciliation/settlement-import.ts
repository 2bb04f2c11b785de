import { createHash } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { DifferenceKind, Finding } from '@pos/core/ledger';
import { createViolation } from '@pos/core/refusals';
import { HOUR_MS, toZonedDay, UTC } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import {
  findSettlementFile,
  insertCoveredDays,
  insertSettlementFile,
  insertSettlementLines,
  listBatchLines,
  lockReconciliation,
  recordFindings,
  type SettlementFile,
  type SettlementLine,
} from '@pos/store/reconciliation';
import { startFullPass } from './comparison-plan.js';
import { requireDeclaredAcquirer } from '../acquirer/declared-acquirers.js';
import { compareReferences } from './file-comparison.js';
import { createFileRefusal, parseSettlementFile, type SettlementFormat } from './settlement-file-parser.js';

/** A settlement file of one acquirer for one account. */
export interface SettlementSource {
  /** What the file is called; for the people who read the list of imports. */
  readonly name: string;
  /** The name of the acquirer, as the settings of the processes have it. */
  readonly acquirer: string;
  readonly format: SettlementFormat;
  readonly content: AsyncIterable<Uint8Array>;
}

/** What an import found. */
export interface SettlementImport {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** All batches were imported before with the same lines: nothing is stored. */
  readonly isRepeat: boolean;
  readonly lineCount: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Its batches, and whether another file had brought the same lines before. */
  readonly batches: readonly { readonly batch: string; readonly lineCount: number; readonly isKnown: boolean }[];
  /** Every line that disagrees with our books. Each is a difference, which the pending list shows. */
  readonly differences: readonly Finding[];
}

const NAME_LENGTH_MAX = 200;
/** The calendar that is furthest ahead of UTC. */
const CALENDAR_AHEAD_MS = 14 * HOUR_MS;
/** The kinds of differences that a line can show, or disprove. */
const LINE_KINDS = [
  'NotAskedFor',
  'OtherKind',
  'OtherAmount',
  'SettledAmount',
  'NotApproved',
  'NotBooked',
] as const satisfies DifferenceKind[];

/** The kinds that the lines of an acquirer with a list do not disprove: the amount or kind in its list may still differ. */
const LIST_KINDS: readonly DifferenceKind[] = ['OtherKind', 'OtherAmount'];

/** What an import needs. `recordImport` runs in the transaction of the import, so that both are stored or neither. */
export interface SettlementServices {
  readonly database: Database;
  readonly recordImport?: (tx: Tx, file: SettlementFile, isRepeat: boolean) => Promise<void>;
}

/**
 * Imports a settlement file in one transaction: stores its lines, the days that it covers and the day of settlement of each
 * transaction, compares its references with our calls, and makes the check of the days that wait for it due. The
 * differences are stored as those of the daily check are. Refuses `validation_failed` for a file with a bad line, and for
 * a batch that was imported before with other lines. Of two imports of a file at once the second one waits, and is
 * the repeat; after the lock timeout of the database it is refused with `ReconciliationBusy`.
 */
export async function importSettlementFile(
  { database, recordImport = () => Promise.resolve() }: SettlementServices,
  scope: Scope,
  source: SettlementSource,
): Promise<SettlementImport> {
  requireFileName(source.name);
  const { can } = await requireDeclaredAcquirer(database, scope, source.acquirer);
  const latestDay = toZonedDay(new Date((await database.now()).getTime() + CALENDAR_AHEAD_MS), UTC);
  const hash = createHash('sha256');
  const content = hashPieces(source.content, hash);
  const lines = await parseSettlementFile({ format: source.format, content }, latestDay);
  const days = [...new Set(lines.map(({ bookedOn }) => bookedOn))].toSorted();
  const batches = groupByBatch(lines);
  const file: SettlementFile = {
    ...{ hash: hash.digest(), acquirer: source.acquirer, name: source.name, batches: [...batches.keys()] },
    ...{ lineCount: lines.length, firstDay: days[0] ?? '', lastDay: days.at(-1) ?? '' },
  };
  return database.transact(scope, async (tx) => {
    // The second of two imports waits here, and then reads what the first one has stored.
    await lockReconciliation(tx);
    const known = await findKnownBatches(tx, source.acquirer, batches);
    const isRepeat = known.size === batches.size;
    await recordImport(tx, file, isRepeat);
    return {
      ...{ hash: file.hash.toString('hex'), isRepeat, lineCount: file.lineCount },
      ...{ firstDay: file.firstDay, lastDay: file.lastDay },
      batches: [...batches].map(([batch, { length: lineCount }]) => ({ batch, lineCount, isKnown: known.has(batch) })),
      differences: isRepeat ? [] : await storeFile(tx, file, { lines, known, days, isList: can.booked_list }),
    };
  });
}

function requireFileName(name: string): void {
  if (name.length >= 1 && name.length <= NAME_LENGTH_MAX) return;
  throw createViolation('validation_failed', 'name', `must be 1 to ${NAME_LENGTH_MAX} characters`);
}

/** The content of a file that is not stored yet. */
interface NewContent {
  readonly lines: readonly SettlementLine[];
  /** The batches that are stored already. */
  readonly known: ReadonlySet<string>;
  readonly days: readonly string[];
  readonly isList: boolean;
}

/** Stores the file with what it shows. Returns every difference of its references. */
async function storeFile(
  tx: Tx,
  file: SettlementFile,
  { lines, known, days, isList }: NewContent,
): Promise<readonly Finding[]> {
  const { acquirer, hash } = file;
  const newLines = lines.filter(({ batch }) => !known.has(batch));
  // An import of an earlier build may have stored the file and a part of its batches.
  if ((await findSettlementFile(tx, hash)) === null) insertSettlementFile(tx, file);
  const references = [...new Set(newLines.map(({ reference }) => reference))];
  insertCoveredDays(tx, { acquirer, days, fileHash: hash });
  // Before they are stored: the statistics of the database do not know of lines that this transaction has written, so
  // that a search for them by reference reads all of them each time.
  const added = newLines.map((line) => ({ ...line, importedAt: tx.databaseNow }));
  const { findings } = await compareReferences(tx, { acquirer, references, isList, added });
  await insertSettlementLines(tx, file, newLines);
  const kinds = isList ? LINE_KINDS.filter((kind) => !LIST_KINDS.includes(kind)) : LINE_KINDS;
  await recordFindings(tx, { kinds, references, acquirers: [acquirer] }, findings);
  await startFullPass(tx);
  return findings;
}

async function* hashPieces(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

function groupByBatch(lines: readonly SettlementLine[]): ReadonlyMap<string, readonly SettlementLine[]> {
  const batches = new Map<string, SettlementLine[]>();
  for (const line of lines) {
    const batch = batches.get(line.batch);
    if (batch === undefined) batches.set(line.batch, [line]);
    else batch.push(line);
  }
  return batches;
}

/** The batches that are stored already. Refuses one that is stored with other lines. */
async function findKnownBatches(
  tx: Tx,
  acquirer: string,
  batches: ReturnType<typeof groupByBatch>,
): Promise<ReadonlySet<string>> {
  const known = groupByBatch(await listBatchLines(tx, acquirer, [...batches.keys()]));
  const problems = new Map<string, string>();
  for (const [batch, stored] of known) {
    if (!areSameLines(stored, batches.get(batch) ?? [])) {
      problems.set(`batch ${batch}`, 'was imported before with other lines: ask the acquirer which is right');
    }
  }
  if (problems.size > 0) throw createFileRefusal(problems);
  return new Set(known.keys());
}

function areSameLines(stored: readonly SettlementLine[], lines: readonly SettlementLine[]): boolean {
  const format = ({ reference, kind, amount, fee, bookedOn }: SettlementLine): string =>
    JSON.stringify([reference, kind, amount.value, amount.currencyCode, fee, bookedOn]);
  const storedLines = new Set(stored.map(format));
  return stored.length === lines.length && lines.every((line) => storedLines.has(format(line)));
}
