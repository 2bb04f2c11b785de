/** How a value of one type is written as JSON and read from it; undefined, in both directions, means absent. */
export interface JsonKind<V> {
  read(json: unknown, at: string): V | undefined;
  write(value: V, at: string): unknown;
}

/** A message that cannot be read from, or written as, JSON. `path` names the member, such as `payment.baseAmount`. */
export class JsonEdgeError extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path === '' ? `the message ${problem}` : `${path} ${problem}`);
    this.name = 'JsonEdgeError';
  }
}

const INT32_MAX = 2 ** 31 - 1;
const INT32_MIN = -(2 ** 31);
const RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const OFFSET_HOURS_MAX = 23;
const OFFSET_MINUTES_MAX = 59;

/** Text as it is, but for what no other system could carry on. */
export const text: JsonKind<string> = {
  read(json, at) {
    if (typeof json !== 'string') throw new JsonEdgeError(at, 'is not text');
    if (json.includes('\0')) throw new JsonEdgeError(at, 'contains a NUL');
    if (LONE_SURROGATE.test(json)) throw new JsonEdgeError(at, 'contains half a character');
    return json;
  },
  write: (value) => value,
};

/** true or false, never text or a number. */
export const flag: JsonKind<boolean> = {
  read(json, at) {
    if (typeof json !== 'boolean') throw new JsonEdgeError(at, 'is not true or false');
    return json;
  },
  write: (value) => value,
};

/** A whole number of 32 bits. */
export const int32: JsonKind<number> = {
  read: (json, at) => int32Checked(json, at),
  write: (value, at) => int32Checked(value, at),
};

/** A whole number of 64 bits, in JSON a number: beyond 2^53 it is refused, for JSON would round it. */
export const int64: JsonKind<bigint> = {
  read(json, at) {
    if (typeof json !== 'number') throw new JsonEdgeError(at, 'is not a number');
    if (!Number.isSafeInteger(json)) throw new JsonEdgeError(at, 'is not a whole number below 2^53');
    return BigInt(json);
  },
  write(value, at) {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new JsonEdgeError(at, 'is beyond 2^53');
    return number;
  },
};

/** A waiter's number: the EPOS Data API has it as text, so digits such as "001" are read too. */
export const waiterNumberKind: JsonKind<number> = {
  read: (json, at) => int32Checked(typeof json === 'string' && /^\d{1,10}$/.test(json) ? Number(json) : json, at),
  write: (value, at) => int32Checked(value, at),
};

/** A moment: offsets and up to nine digits are read (milliseconds are kept), Z and three digits are written. */
export const time: JsonKind<Date> = {
  read(json, at) {
    const match = typeof json === 'string' ? RFC3339.exec(json) : null;
    const moment = match === null ? null : parseMoment(match);
    if (moment === null) throw new JsonEdgeError(at, 'is not a time such as 2026-03-01T19:05:00.000Z');
    return moment;
  },
  write(value, at) {
    const year = value.getUTCFullYear();
    // Also false for an invalid Date, whose year is NaN.
    if (!(year >= 1 && year <= 9999)) throw new JsonEdgeError(at, 'is not a time between the years 1 and 9999');
    return value.toISOString();
  },
};

/** A list; null is an empty one to its owner, an element that reads as absent is dropped. */
export function list<V>(element: JsonKind<V>): JsonKind<V[]> {
  return {
    read(json, at) {
      if (!Array.isArray(json)) throw new JsonEdgeError(at, 'is not a list');
      return json.flatMap((each: unknown, index) => element.read(each, `${at}[${index}]`) ?? []);
    },
    write: (values, at) => values.flatMap((value, index) => element.write(value, `${at}[${index}]`) ?? []),
  };
}

/**
 * An enum by its whole names. The zero value reads as absent and is never written; a name that is not known reads as
 * `unknown`, or as absent where there is none.
 */
export function enumeration<E extends string>(names: Record<string, E>, unknown?: E): JsonKind<E> {
  const known = new Map<string, E>(
    Object.values(names)
      .filter(isWritable)
      .map((name) => [name, name]),
  );
  return {
    read(json, at) {
      if (typeof json !== 'string') throw new JsonEdgeError(at, 'is not the name of a value');
      if (json.endsWith('_UNSPECIFIED')) return undefined;
      return known.get(json) ?? unknown;
    },
    write(value) {
      if (known.has(value)) return value;
      return value.endsWith('_UNSPECIFIED') ? undefined : unknown;
    },
  };
}

/** An enum that must be understood: a name that is not known is refused in both directions, not taken for absent. */
export function closedEnumeration<E extends string>(names: Record<string, E>): JsonKind<E> {
  const open = enumeration(names);
  const example = Object.values(names).find(isWritable) ?? '';
  const absentOr = <V>(found: V, name: unknown, at: string): V => {
    if (found !== undefined || String(name).endsWith('_UNSPECIFIED')) return found;
    throw new JsonEdgeError(at, `is unknown: it is not a name such as ${example}`);
  };
  return {
    read: (json, at) => absentOr(open.read(json, at), json, at),
    write: (value, at) => absentOr(open.write(value, at), value, at),
  };
}

/** Whether an enum value may travel: neither the zero value nor a number that this version has no name for. */
function isWritable(name: string): boolean {
  return name !== 'UNRECOGNIZED' && !name.endsWith('_UNSPECIFIED');
}

function int32Checked(value: unknown, at: string): number {
  if (typeof value !== 'number') throw new JsonEdgeError(at, 'is not a number');
  if (!Number.isInteger(value) || value > INT32_MAX || value < INT32_MIN) {
    throw new JsonEdgeError(at, 'is not a whole number of 32 bits');
  }
  // -0 would be written as 0 and read back as another value.
  return value === 0 ? 0 : value;
}

function parseMoment([, date, clock, fraction = '', sign, hours = '0', minutes = '0']: RegExpExecArray): Date | null {
  if (Number(hours) > OFFSET_HOURS_MAX || Number(minutes) > OFFSET_MINUTES_MAX) return null;
  const written = `${date ?? ''}T${clock ?? ''}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const local = new Date(written);
  // The engine turns 30 February into 2 March; a date that is not the same after formatting does not exist.
  if (Number.isNaN(local.getTime()) || local.toISOString() !== written) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(local.getTime() - (sign === '-' ? -offsetMs : offsetMs));
}
