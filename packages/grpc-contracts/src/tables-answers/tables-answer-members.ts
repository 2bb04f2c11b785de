/** A member of an answer that could not be read. */
export interface UnreadableMember {
  /** The id of the element, or its place in the list, such as `[3]`. */
  readonly element: string;
  /** The path within the element, such as `items[0].amountPerItem`; empty for the whole element. */
  readonly member: string;
  readonly problem: string;
  /** Whether the element was left out because of it. */
  readonly isSkipped: boolean;
}

/** Where a value is read, and what is known beside it. */
export interface ReadingContext {
  readonly sessionId: string;
  readonly now: Date;
  readonly parseLocalTime: (text: string) => Date | null;
  readonly unreadable: UnreadableMember[];
  readonly element: string;
  readonly path: string;
}

/** A value that cannot be read. Its owner leaves it out, or cannot be read itself. */
export class ReadingProblem extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} ${problem}`);
    this.name = 'ReadingProblem';
  }
}

export type ReadMember<V> = (json: unknown, context: ReadingContext, index: number) => V;

/** More would not be named, and a broken till may send a hundred thousand. */
const UNREADABLE_MAX = 1_000;

/** Reads the members of one object in every spelling, each by itself. */
export class MemberReader {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #repeated: ReadonlySet<string>;

  constructor(
    json: Readonly<Record<string, unknown>>,
    private readonly context: ReadingContext,
  ) {
    const members = new Map<string, unknown>();
    const repeated = new Set<string>();
    for (const [name, value] of Object.entries(json)) {
      const key = toKey(name);
      if (value === null || value === undefined) continue;
      if (members.has(key) && JSON.stringify(members.get(key)) !== JSON.stringify(value)) repeated.add(key);
      members.set(key, value);
    }
    this.#members = members;
    this.#repeated = repeated;
  }

  static of(json: unknown, context: ReadingContext): MemberReader {
    if (!isMembers(json)) return failMember(context, '', 'is not an object');
    return new MemberReader(json, context);
  }

  /** The JSON of a member; undefined for one that is absent or null. */
  find(name: string): unknown {
    return this.#members.get(toKey(name));
  }

  /** A member without which the object cannot be used. */
  require<V>(name: string, read: ReadMember<V>): V {
    const value = this.essential(name, read);
    if (value === undefined || value === '') return failMember(this.context, name, 'is missing');
    return value;
  }

  /** A member that may be absent, but must be readable once it is there. `synonym` is read as the same. */
  essential<V>(name: string, read: ReadMember<V>, synonym = name): V | undefined {
    const at = this.#at(name);
    if (this.#repeated.has(toKey(name))) return failMember(this.context, name, 'is sent twice with different values');
    const sent = this.find(name) ?? this.find(synonym);
    return sent === undefined ? undefined : read(sent, at, 0);
  }

  /** A member that is left out when it cannot be read. An empty text counts as absent. */
  optional<V>(name: string, read: ReadMember<V>): V | undefined {
    try {
      const value = this.find(name) === '' ? undefined : this.essential(name, read);
      return value;
    } catch (error) {
      this.#leaveOut(error);
      return undefined;
    }
  }

  /** A list; an element that cannot be read is left out, unless all of them are essential. */
  list<V>(name: string, read: ReadMember<V>, { isEssential = false } = {}): V[] {
    const sent = this.find(name);
    if (sent === undefined) return [];
    if (!Array.isArray(sent) || this.#repeated.has(toKey(name))) {
      if (isEssential) return failMember(this.context, name, 'is not a list');
      this.#leaveOut(new ReadingProblem(joinPath(this.context.path, name), 'is not a list'));
      return [];
    }
    return (sent as readonly unknown[]).flatMap((each, index) => {
      try {
        return [read(each, { ...this.context, path: `${joinPath(this.context.path, name)}[${index}]` }, index)];
      } catch (error) {
        if (isEssential) throw error;
        this.#leaveOut(error);
        return [];
      }
    });
  }

  #leaveOut(error: unknown): void {
    if (!(error instanceof ReadingProblem)) throw error;
    const { unreadable, element } = this.context;
    if (unreadable.length >= UNREADABLE_MAX) return;
    unreadable.push({ element, member: error.path, problem: error.problem, isSkipped: false });
  }

  #at(name: string): ReadingContext {
    return { ...this.context, path: joinPath(this.context.path, name) };
  }
}

/**
 * Texts, and numbers and so ids of tills that count. A whole number that was rounded when it was parsed is no id. What no
 * other system could carry on is cut out by the caller.
 */
export function readText(json: unknown, context: ReadingContext): string {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' && Number.isInteger(json) && !Number.isSafeInteger(json))
    return failMember(context, '', 'has more digits than a number keeps: send it as text');
  if (typeof json === 'number' && Number.isFinite(json)) return String(json);
  return failMember(context, '', 'is not text');
}

/** Whole minor units: `1300` and `"1300"`. `"13.00"` may be pounds or pence, so it is not read. */
export function readAmount(json: unknown, context: ReadingContext): number {
  const number = toNumber(json, /^-?\d{1,16}$/) ?? (isZero(json) ? 0 : undefined);
  if (number === undefined) return failMember(context, '', 'is not a whole number of minor units');
  return Number.isSafeInteger(number) ? number : failMember(context, '', 'is not a whole number below 2^53');
}

export function readInt(json: unknown, context: ReadingContext): number {
  const number = toNumber(json, /^-?\d{1,10}$/);
  if (number !== undefined && Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number + 0;
  return failMember(context, '', 'is not a whole number of 32 bits');
}

const QUANTITY_MAX = 100_000;

/** Decimals to the thousandth; a comma may be a decimal point or not, so it is not read. */
export function readQuantity(json: unknown, context: ReadingContext): number {
  const number = toNumber(json, /^-?\d{1,9}(\.\d{1,9})?$/);
  if (number === undefined || !Number.isFinite(number) || Math.abs(number) > QUANTITY_MAX) {
    return failMember(context, '', `is not a quantity up to ${QUANTITY_MAX}`);
  }
  return Math.round(number * 1_000) / 1_000 + 0;
}

export function readFlag(json: unknown, context: ReadingContext): boolean {
  const word = typeof json === 'string' ? json.trim().toLowerCase() : json;
  if (word === true || word === 'true' || word === 1 || word === '1') return true;
  if (word === false || word === 'false' || word === 0 || word === '0') return false;
  return failMember(context, '', 'is not true or false');
}

/** A time with an offset, or a local time of the restaurant. Written as the contract writes it. */
export function readTime(json: unknown, context: ReadingContext): string | undefined {
  if (typeof json !== 'string') return failMember(context, '', 'is not a time');
  if (json.trim() === '' || json.startsWith('0001-01-01') || json.startsWith('0000-00-00')) return undefined;
  const moment = context.parseLocalTime(json.trim());
  const year = moment?.getUTCFullYear() ?? 0;
  if (moment === null || !(year >= 1 && year <= 9999)) {
    return failMember(context, '', 'is not a time such as 2026-03-01T19:05:00.000Z');
  }
  return moment.toISOString();
}

export function failMember(context: ReadingContext, name: string, problem: string): never {
  throw new ReadingProblem(name === '' ? context.path : joinPath(context.path, name), problem);
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toNumber(json: unknown, digits: RegExp): number | undefined {
  if (typeof json === 'number') return json;
  return typeof json === 'string' && digits.test(json.trim()) ? Number(json) : undefined;
}

/** Nothing is nothing in pounds and in pence. */
function isZero(json: unknown): boolean {
  return typeof json === 'string' && /^-?0+([.,]0+)?$/.test(json.trim());
}

function joinPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** `session_id`, `sessionId` and `SessionId` are one name. */
function toKey(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
