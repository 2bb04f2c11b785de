import { isUtf8 } from 'node:buffer';
import { AMOUNT_MAX, money } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';
import type { SettledKind, SettlementLine } from '@pos/store/reconciliation';

/** The forms of a settlement file: comma-separated values with a header, or a JSON object in each line. */
export const SETTLEMENT_FORMATS = ['csv', 'jsonl'] as const;
export type SettlementFormat = (typeof SETTLEMENT_FORMATS)[number];

const LINE_BYTES_MAX = 4_096;
const LINES_MAX = 200_000;
const PROBLEMS_MAX = 20;
const TEXT_LENGTH_MAX = 64;
const NEWLINE = 0x0a;

const COLUMNS = ['reference', 'kind', 'amount', 'currency', 'booked_on', 'batch', 'fee'] as const;
type Column = (typeof COLUMNS)[number];
/** A column without a value in any line may be left out. */
const OPTIONAL: ReadonlySet<Column> = new Set(['fee']);

type Values = Readonly<Record<Column, string>>;
/** Where a file is wrong, and why: `line 3, amount`. */
type Problems = Map<string, string>;

/**
 * Reads a settlement file piece by piece. `latestDay` (`yyyy-mm-dd`) is the last day that a line may be of. Refuses `validation_failed` with the line and the column of the first twenty
 * problems: a file is imported as a whole or not at all.
 */
export async function parseSettlementFile(
  { format, content }: { readonly format: SettlementFormat; readonly content: AsyncIterable<Uint8Array> },
  latestDay: string,
): Promise<SettlementLine[]> {
  const problems: Problems = new Map();
  const parser = format === 'csv' ? new CsvParser(problems) : new JsonLinesParser(problems);
  const lines: SettlementLine[] = [];
  const seen = new Set<string>();
  for await (const { number, text } of readLines(content, problems)) {
    const values = parser.parse(text, number);
    const line = values === null ? null : toSettlementLine(values, { number, latestDay }, problems);
    if (line !== null) {
      const name = `${line.batch} ${line.kind} ${line.reference}`;
      if (seen.has(name)) problems.set(`line ${number}, reference`, 'is in the batch twice with this kind');
      seen.add(name);
      lines.push(line);
    }
    if (lines.length > LINES_MAX)
      problems.set(`line ${number}`, `is beyond ${LINES_MAX} lines: split the file by batch`);
    if (problems.size >= PROBLEMS_MAX) break;
  }
  if (lines.length === 0 && problems.size === 0) problems.set('file', 'has no line');
  if (problems.size > 0) throw createFileRefusal(problems);
  return lines;
}

/** A refusal of a file by the places in it that are wrong. */
export function createFileRefusal(problems: ReadonlyMap<string, string>): Refusal {
  const members = Object.fromEntries([...problems].map(([place, problem]) => [place, [problem]]));
  return new Refusal('validation_failed', 'the settlement file cannot be imported', { members });
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** The lines with their numbers, without empty ones. Not more of the file is in memory than a line and a piece. */
async function* readLines(content: AsyncIterable<Uint8Array>, problems: Problems): AsyncGenerator<NumberedLine> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  const decode = (bytes: Buffer): NumberedLine | null => {
    number += 1;
    if (bytes.length > LINE_BYTES_MAX) problems.set(`line ${number}`, `is longer than ${LINE_BYTES_MAX} bytes`);
    else if (!isUtf8(bytes)) problems.set(`line ${number}`, 'is not UTF-8');
    else {
      const text = bytes
        .toString('utf8')
        .replace(/^\u{feff}/u, '')
        .replace(/\r$/, '');
      if (text.trim() !== '') return { number, text };
    }
    return null;
  };
  for await (const piece of content) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = decode(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (line !== null) yield line;
      if (problems.size >= PROBLEMS_MAX) return;
    }
    if (rest.length > LINE_BYTES_MAX) break;
  }
  const last = rest.length === 0 ? null : decode(rest);
  if (last !== null) yield last;
}

/** Comma-separated values (RFC 4180) whose first line names the columns, in any order. A value has no line break. */
class CsvParser {
  #columns: readonly Column[] | null = null;

  constructor(private readonly problems: Problems) {}

  /** The values of a line; null for the header, and for a line that cannot be read. */
  parse(text: string, number: number): Values | null {
    const cells = splitCells(text);
    if (cells === null) {
      this.problems.set(`line ${number}`, 'has a quotation mark that does not enclose a value');
      return null;
    }
    if (this.#columns === null) {
      this.#columns = this.#readHeader(cells, number);
      return null;
    }
    const columns = this.#columns;
    if (cells.length !== columns.length) {
      this.problems.set(`line ${number}`, `has ${cells.length} values, and the header ${columns.length}`);
      return null;
    }
    return withDefaults(Object.fromEntries(columns.map((column, index) => [column, cells[index]?.trim() ?? ''])));
  }

  #readHeader(cells: readonly string[], number: number): readonly Column[] {
    const names = cells.map((cell) => cell.trim().toLowerCase());
    for (const [index, name] of names.entries()) {
      if (!isColumn(name)) this.problems.set(`line ${number}, column ${index + 1}`, `is none of ${COLUMNS.join(', ')}`);
      else if (names.indexOf(name) !== index) this.problems.set(`line ${number}, ${name}`, 'is named twice');
    }
    for (const column of COLUMNS) {
      if (!OPTIONAL.has(column) && !names.includes(column))
        this.problems.set(`line ${number}, ${column}`, 'is missing');
    }
    return names.filter(isColumn);
  }
}

/** A JSON object in each line, with the columns as members. */
class JsonLinesParser {
  constructor(private readonly problems: Problems) {}

  parse(text: string, number: number): Values | null {
    const sent = parseJson(text);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      this.problems.set(`line ${number}`, 'is not a JSON object');
      return null;
    }
    const before = this.problems.size;
    const values: Partial<Record<Column, string>> = {};
    for (const [name, value] of Object.entries(sent)) {
      if (!isColumn(name))
        this.problems.set(`line ${number}, ${name.slice(0, 30)}`, `is none of ${COLUMNS.join(', ')}`);
      else if (typeof value === 'string' || typeof value === 'number') values[name] = String(value);
      else if (value !== null) this.problems.set(`line ${number}, ${name}`, 'is neither a text nor a number');
    }
    return this.problems.size > before ? null : withDefaults(values);
  }
}

function withDefaults(values: Partial<Record<Column, string>>): Values {
  return { reference: '', kind: '', amount: '', currency: '', booked_on: '', batch: '', fee: '', ...values };
}

function isColumn(name: string): name is Column {
  return COLUMNS.some((column) => column === name);
}

/** Null for a quotation mark out of place. */
function splitCells(text: string): string[] | null {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  while (cell.lastIndex <= text.length) {
    const found = cell.exec(text);
    if (found === null) return null;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return cells;
  }
  return cells;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const KINDS: Readonly<Record<string, SettledKind>> = { capture: 'Capture', refund: 'Refund', reversal: 'Reverse' };

/** Null for a line with a problem. */
function toSettlementLine(
  values: Values,
  { number, latestDay }: { readonly number: number; readonly latestDay: string },
  problems: Problems,
): SettlementLine | null {
  const before = problems.size;
  const check = (column: Column, isRight: boolean, problem: string): void => {
    if (!isRight) problems.set(`line ${number}, ${column}`, values[column] === '' ? 'is empty' : problem);
  };
  const { reference, batch, currency, booked_on: bookedOn, amount, fee } = values;
  const kind = Object.hasOwn(KINDS, values.kind) ? KINDS[values.kind] : undefined;
  check('reference', isPlainText(reference), `is not 1 to ${TEXT_LENGTH_MAX} printable characters`);
  check('batch', isPlainText(batch), `is not 1 to ${TEXT_LENGTH_MAX} printable characters`);
  check('kind', kind !== undefined, `is none of ${Object.keys(KINDS).join(', ')}`);
  check('amount', isMinorUnits(amount), 'is not a whole number of minor units');
  check('currency', /^[A-Z]{3}$/.test(currency), 'is no code of ISO 4217');
  check('booked_on', isDay(bookedOn), 'is no day, yyyy-mm-dd');
  if (isDay(bookedOn)) check('booked_on', bookedOn <= latestDay, `${bookedOn} is in the future`);
  if (fee !== '') check('fee', isMinorUnits(fee), 'is not a whole number of minor units');
  if (problems.size > before || kind === undefined) return null;
  return {
    ...{ batch, reference, kind, bookedOn },
    amount: money(Number(amount), currency),
    fee: fee === '' ? null : Number(fee),
  };
}

function isPlainText(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(text);
}

/** `12.50` is no number of pence: a file in major units is refused, not divided. */
function isMinorUnits(text: string): boolean {
  return /^\d{1,16}$/.test(text) && Number(text) <= AMOUNT_MAX;
}

/** Whether the text is a day of the calendar, `yyyy-mm-dd`. */
export function isDay(text: string): boolean {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : new Date(Number.NaN);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
