const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const NINE = 0x39;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

/** The limit of named members, so that a hostile body does not cause an even larger answer. */
const NAMED_MAX = 20;
/** Null counts as an absent member, as everywhere in requests. */
const ABSENT = 0;

/**
 * The paths of members that a JSON text has more than once in the same spelling, with different values: `captureMode`,
 * `amount.value`. `JSON.parse` keeps the last of them and loses the others. `value` is what it has made of the text.
 *
 * Each member has one colon outside of strings, so a text with as many colons as `value` has members repeats none. This
 * takes about as long as the search for an end of a string; only a text that repeats a member is read a second time.
 */
export function findRepeatedMembers(json: Uint8Array, value: unknown): readonly string[] {
  if (countColons(json) === countMembers(value)) return [];
  const reader = new RepeatedMemberReader(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
  reader.readValue(null);
  return [...reader.repeated];
}

function countColons(json: Uint8Array): number {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json[index];
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (code === BACKSLASH) index += 1;
    } else if (code === COLON) count += 1;
  }
  return count;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const member of Object.values(value)) count += 1 + countMembers(member);
  return count;
}

/** The way to a value, from its end; a text is made of it only for a member that is named. */
interface Place {
  readonly step: string | number;
  readonly outer: Place | null;
}

/**
 * Reads JSON that is known to be valid and no deeper than the limit of a body. Equal values get equal numbers, so two
 * values of any size are compared in one step and the time depends on the length of the text only.
 */
class RepeatedMemberReader {
  readonly repeated = new Set<string>();
  readonly #numbers = new Map<string, number>();
  #at = 0;

  constructor(private readonly text: string) {}

  /** The number of the value at this place. */
  readValue(place: Place | null): number {
    const first = this.#next();
    if (first === OPENING_BRACE) return this.#readObject(place);
    if (first === OPENING_BRACKET) return this.#readList(place);
    if (first === QUOTE) return this.#number(`=${this.#readText()}`);
    const word = this.#readWord();
    if (word === 'null') return ABSENT;
    // As in two spellings of a name, `"1000"`, `1000` and `1e3` are equal.
    return this.#number(first <= NINE && first >= MINUS ? `=${Number(word)}` : `=${word}`);
  }

  #readObject(outer: Place | null): number {
    const members = new Map<string, number>();
    this.#at += 1;
    while (this.#next() !== CLOSING_BRACE) {
      const name = this.#readText();
      this.#next();
      this.#at += 1;
      const place = { step: name, outer };
      const number = this.readValue(place);
      const before = members.get(name);
      if (before !== undefined && before !== number) this.#note(place);
      members.set(name, number);
      if (this.#next() === COMMA) this.#at += 1;
    }
    this.#at += 1;
    const parts: string[] = [];
    for (const [name, number] of members) {
      // With its length no name can look like two members.
      if (number !== ABSENT) parts.push(`${name.length} ${name.toLowerCase()} ${number}`);
    }
    return this.#number(`{${parts.sort().join()}`);
  }

  #readList(outer: Place | null): number {
    const items: number[] = [];
    this.#at += 1;
    while (this.#next() !== CLOSING_BRACKET) {
      items.push(this.readValue({ step: items.length, outer }));
      if (this.#next() === COMMA) this.#at += 1;
    }
    this.#at += 1;
    return this.#number(`[${items.join()}`);
  }

  /** The first character of the next token, at which it stops. */
  #next(): number {
    let code = this.text.charCodeAt(this.#at);
    while (code <= SPACE || code === BYTE_ORDER_MARK) {
      this.#at += 1;
      code = this.text.charCodeAt(this.#at);
    }
    return code;
  }

  #readText(): string {
    const start = this.#at;
    let isEscaped = false;
    this.#at += 1;
    for (let code = this.text.charCodeAt(this.#at); code !== QUOTE; code = this.text.charCodeAt(this.#at)) {
      isEscaped ||= code === BACKSLASH;
      this.#at += code === BACKSLASH ? 2 : 1;
    }
    this.#at += 1;
    // `\u0063aptureMode` is `captureMode`.
    return isEscaped
      ? (JSON.parse(this.text.slice(start, this.#at)) as string)
      : this.text.slice(start + 1, this.#at - 1);
  }

  /** A number, `true`, `false` or `null`. */
  #readWord(): string {
    const start = this.#at;
    let code = this.text.charCodeAt(this.#at);
    // A comparison with the end of the text, which has no code, is false.
    while (code > SPACE && code !== COMMA && code !== CLOSING_BRACE && code !== CLOSING_BRACKET) {
      this.#at += 1;
      code = this.text.charCodeAt(this.#at);
    }
    return this.text.slice(start, this.#at);
  }

  #number(form: string): number {
    const known = this.#numbers.get(form);
    if (known !== undefined) return known;
    const made = this.#numbers.size + 1;
    this.#numbers.set(form, made);
    return made;
  }

  #note(place: Place): void {
    if (this.repeated.size >= NAMED_MAX) return;
    let path = '';
    for (let at: Place | null = place; at !== null; at = at.outer) {
      const isInList = typeof at.step === 'number';
      path = `${isInList ? `[${at.step}]` : `${at.outer === null ? '' : '.'}${at.step}`}${path}`;
    }
    this.repeated.add(path);
  }
}
