import type { Finding } from '@pos/core/ledger';
import type { Reader } from '@pos/store/database';
import { type DatedAcquirerCall, listCallsByReference, listSaleReferences } from '@pos/store/payments';
import { type ImportedLine, listLinesByReference, listSettlementLines } from '@pos/store/reconciliation';
import { readTimeZone } from '@pos/store/repositories';
import { addDays, toZonedDay } from '@pos/core/time';
import { type ComparisonRange, type CompletenessCheck, readCompleteness } from '../acquirer/acquirer-books.js';
import { type CallsOfSpan, type ComparedBooks, selectCallsOfSpan } from './compared-books.js';
import { checkSettledReference } from './settled-lines.js';

const REFERENCES_PER_STEP = 500;

/**
 * Compares the settlement lines of the span, and our calls of the span that have moved money, by their references. A call
 * is missing only when all files that can name it have arrived; until then its day waits for settlement.
 */
export async function compareWithFiles(
  reader: Reader,
  isCompleteBetween: CompletenessCheck,
  ours: CallsOfSpan,
): Promise<ComparedBooks> {
  const { acquirer, span } = ours;
  const calls = await selectMoneyCalls(reader, selectCallsOfSpan(ours));
  const settled = await listSettledReferences(reader, acquirer, span);
  const references = [...new Set([...calls.map(({ reference }) => reference), ...settled])];
  const compared = await compareReferences(reader, { acquirer, references });
  const unnamed = calls.filter(({ reference }) => !compared.named.has(reference));
  const missing = unnamed.filter(({ createdAt }) => isCompleteBetween(createdAt, createdAt));
  const isAwaited = calls.some(({ reference }) => compared.awaited.has(reference)) || missing.length < unnamed.length;
  return { findings: compared.findings, missing, references, isAwaited };
}

/**
 * The calls that a settlement file names: captures, refunds, and authorisations that took the money at once. A hold is in
 * no settlement file, and neither is a call that was reversed.
 */
async function selectMoneyCalls(
  reader: Reader,
  calls: readonly DatedAcquirerCall[],
): Promise<readonly DatedAcquirerCall[]> {
  const approved = calls.filter(({ outcome }) => outcome === 'Approved');
  const authorisations = approved.filter(({ kind }) => kind === 'Authorise');
  const sales = await listSaleReferences(
    reader,
    authorisations.map(({ reference }) => reference),
  );
  return approved.filter(
    ({ kind, reference }) => kind === 'Capture' || kind === 'Refund' || (kind === 'Authorise' && sales.has(reference)),
  );
}

/** The references of the acquirer's settlement lines of a span, each once. */
export async function listSettledReferences(
  reader: Reader,
  acquirer: string,
  { from, to }: ComparisonRange,
): Promise<readonly string[]> {
  // A line has a day and no time: each span that touches the day compares it.
  const lastMoment = new Date(to.getTime() - 1);
  const timeZone = await readTimeZone(reader);
  const days = { from: toZonedDay(from, timeZone), to: addDays(toZonedDay(lastMoment, timeZone), 1) };
  const lines = await listSettlementLines(reader, acquirer, days);
  return [...new Set(lines.map(({ reference }) => reference))];
}

/** What the settlement lines under some references show. */
export interface ComparedReferences {
  readonly findings: readonly Finding[];
  /** The references that a line has. */
  readonly named: ReadonlySet<string>;
  /** Partly settled calls whose rest may be in files that have not arrived. */
  readonly awaited: ReadonlySet<string>;
}

/** Compares everything that the acquirer has settled under the references with our calls. */
export async function compareReferences(
  reader: Reader,
  {
    acquirer,
    references,
    isList = false,
    added = [],
  }: {
    readonly acquirer: string;
    readonly references: readonly string[];
    /** The acquirer has a list: its books are complete without the files of later days. */
    readonly isList?: boolean;
    /** Lines that are not stored yet. */
    readonly added?: readonly ImportedLine[];
  },
): Promise<ComparedReferences> {
  const findings: Finding[] = [];
  const named = new Set<string>();
  const awaited = new Set<string>();
  const addedLines = groupByReference(added);
  const timeZone = await readTimeZone(reader);
  for (let start = 0; start < references.length; start += REFERENCES_PER_STEP) {
    const step = references.slice(start, start + REFERENCES_PER_STEP);
    const calls = new Map((await listCallsByReference(reader, step)).map((call) => [call.reference, call]));
    const times = [...calls.values()].map(({ createdAt }) => createdAt.getTime());
    const range = { from: new Date(Math.min(...times)), to: new Date(Math.max(...times)) };
    const isCompleteBetween =
      isList || times.length === 0 ? () => isList : await readCompleteness(reader, acquirer, range);
    const storedLines = groupByReference(await listLinesByReference(reader, acquirer, step));
    for (const reference of step) {
      const own = [...(storedLines.get(reference) ?? []), ...(addedLines.get(reference) ?? [])];
      if (own.length === 0) continue;
      const call = calls.get(reference) ?? null;
      const isComplete = call !== null && isCompleteBetween(call.createdAt, call.createdAt);
      const checked = await checkSettledReference(reader, { acquirer, lines: own, call, isComplete, timeZone });
      named.add(reference);
      findings.push(...checked.findings);
      if (checked.isAwaited) awaited.add(reference);
    }
  }
  return { findings, named, awaited };
}

function groupByReference(lines: readonly ImportedLine[]): ReadonlyMap<string, readonly ImportedLine[]> {
  const groups = new Map<string, ImportedLine[]>();
  for (const line of lines) {
    const group = groups.get(line.reference);
    if (group === undefined) groups.set(line.reference, [line]);
    else group.push(line);
  }
  return groups;
}
