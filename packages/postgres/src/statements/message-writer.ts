/** A value of a statement as `encodeParameter` returns it. */
export type EncodedValue = string | Buffer | null;

/** The extended query protocol counts values in 16 bits. */
export const STATEMENT_VALUES_MAX = 65_535;

const START_BYTES = 16 * 1024;
/** A larger buffer is released after use. */
const KEPT_BYTES = 1024 * 1024;
/** The most bytes of UTF-8 for one unit of a string. */
const UNIT_BYTES_MAX = 3;
const MESSAGE = { bind: 'B', close: 'C', describe: 'D', execute: 'E', parse: 'P', sync: 'S' } as const;
const TEXT_FORMAT = 0;
const BINARY_FORMAT = 1;
const NULL_LENGTH = -1;

/** Encodes messages of PostgreSQL's extended query protocol into one buffer. */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(START_BYTES);
  #length = 0;

  /** Prepares a statement under a name; the server infers the types of its values. */
  writeParse(name: string, text: string): void {
    const start = this.#startMessage(MESSAGE.parse);
    this.#writeName(name);
    this.#writeName(text);
    this.#writeInt16(0);
    this.#endMessage(start);
  }

  /** Gives values to a prepared statement; its results are text. */
  writeBind(name: string, values: readonly EncodedValue[]): void {
    const start = this.#startMessage(MESSAGE.bind);
    this.#writeName('');
    this.#writeName(name);
    this.#writeFormats(values);
    this.#writeInt16(values.length);
    for (const value of values) this.#writeValue(value);
    this.#writeInt16(0);
    this.#endMessage(start);
  }

  /** Asks for the columns of the values that were bound last. */
  writeDescribe(): void {
    const start = this.#startMessage(MESSAGE.describe);
    this.#writeName('P');
    this.#endMessage(start);
  }

  /** Runs the statement that was bound last, and returns all of its rows. */
  writeExecute(): void {
    const start = this.#startMessage(MESSAGE.execute);
    this.#writeName('');
    this.#writeInt32(0);
    this.#endMessage(start);
  }

  /** Releases a prepared statement. Without one of that name, the server does nothing. */
  writeClose(name: string): void {
    const start = this.#startMessage(MESSAGE.close);
    this.#writeName(`S${name}`);
    this.#endMessage(start);
  }

  /** Ends the messages that are skipped after a failure. */
  writeSync(): void {
    this.#endMessage(this.#startMessage(MESSAGE.sync));
  }

  /** Returns what was written, and starts again. */
  takeBytes(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.clear();
    return bytes;
  }

  /** Drops what was written. */
  clear(): void {
    this.#length = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(START_BYTES);
  }

  /** The position of the message's length, which counts itself but not the type. */
  #startMessage(type: string): number {
    this.#reserve(1 + 4);
    this.#buffer[this.#length] = type.charCodeAt(0);
    this.#length += 1 + 4;
    return this.#length - 4;
  }

  #endMessage(start: number): void {
    this.#buffer.writeInt32BE(this.#length - start, start);
  }

  /** All values are text without a list of formats. */
  #writeFormats(values: readonly EncodedValue[]): void {
    if (!values.some((value) => Buffer.isBuffer(value))) {
      this.#writeInt16(0);
      return;
    }
    this.#writeInt16(values.length);
    for (const value of values) this.#writeInt16(Buffer.isBuffer(value) ? BINARY_FORMAT : TEXT_FORMAT);
  }

  #writeValue(value: EncodedValue): void {
    if (value === null) {
      this.#writeInt32(NULL_LENGTH);
      return;
    }
    if (typeof value === 'string') {
      this.#reserve(4 + value.length * UNIT_BYTES_MAX);
      const written = this.#buffer.write(value, this.#length + 4);
      this.#writeInt32(written);
      this.#length += written;
      return;
    }
    this.#writeInt32(value.length);
    this.#reserve(value.length);
    value.copy(this.#buffer, this.#length);
    this.#length += value.length;
  }

  /** Text that ends with a zero byte. */
  #writeName(text: string): void {
    this.#reserve(text.length * UNIT_BYTES_MAX + 1);
    this.#length += this.#buffer.write(text, this.#length);
    this.#buffer[this.#length] = 0;
    this.#length += 1;
  }

  #writeInt16(value: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeUInt16BE(value, this.#length);
  }

  #writeInt32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
