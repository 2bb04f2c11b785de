import { assert, Defect } from '@pos/core/refusals';

/**
 * A value as the parameter of a statement: text, bytes or null. Arrays become PostgreSQL array literals, moments ISO
 * 8601 in UTC, and other objects JSON. Throws a Defect for a value that PostgreSQL has no text for.
 */
export function encodeParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (ArrayBuffer.isView(value)) return toBuffer(value);
  return Array.isArray(value) ? encodeArray(value) : encodeScalar(value);
}

function encodeScalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return value.toString();
    case 'object':
      return value instanceof Date ? encodeMoment(value) : encodeJson(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      throw new Defect(`a ${typeof value} is no parameter of a statement`);
  }
}

function encodeJson(value: object | null): string {
  // Undefined for an object whose `toJSON` returns nothing, which the types do not state.
  const text = JSON.stringify(value) as string | undefined;
  assert(text !== undefined, 'an object without JSON is no parameter of a statement');
  return text;
}

function encodeMoment(moment: Date): string {
  assert(!Number.isNaN(moment.getTime()), 'an invalid date is no parameter of a statement');
  return moment.toISOString();
}

/** `{"a","b",NULL}`; the elements are quoted, so that no text is read as NULL or as a separator. */
function encodeArray(values: readonly unknown[]): string {
  return `{${values.map(encodeElement).join(',')}}`;
}

function encodeElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return encodeArray(value);
  const text = ArrayBuffer.isView(value) ? `\\x${toBuffer(value).toString('hex')}` : encodeScalar(value);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function toBuffer(view: ArrayBufferView): Buffer {
  return Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
