/**
 * The few protobuf encodings that etcd's lock, put and unlock use, so that the benchmark needs no generated code for
 * them.
 */
const VARINT = 0;
const BYTES = 2;

/** A field that is a whole number, zero or more. */
export function encodeNumberField(number: number, value: bigint): Buffer {
  return Buffer.concat([encodeVarint(BigInt((number << 3) | VARINT)), encodeVarint(value)]);
}

/** A field that is bytes, a text or a message. */
export function encodeBytesField(number: number, value: Uint8Array): Buffer {
  return Buffer.concat([encodeVarint(BigInt((number << 3) | BYTES)), encodeVarint(BigInt(value.length)), value]);
}

/** The first field of that number in a message; null when there is none. Throws on a form that etcd does not send here. */
export function findField(message: Buffer, number: number): bigint | Buffer | null {
  for (let at = 0; at < message.length;) {
    const tag = readVarint(message, at);
    const head = readVarint(message, tag.end);
    const form = Number(tag.value & 7n);
    if (form !== VARINT && form !== BYTES) throw new Error(`a field of form ${form}`);
    const end = form === BYTES ? head.end + Number(head.value) : head.end;
    if (end > message.length) throw new Error('the message ends in the middle of a field');
    if (tag.value >> 3n === BigInt(number)) return form === BYTES ? message.subarray(head.end, end) : head.value;
    at = end;
  }
  return null;
}

function encodeVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
}

function readVarint(message: Buffer, from: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = from; ; at += 1) {
    const byte = message[at];
    if (byte === undefined) throw new Error('the message ends in the middle of a number');
    value |= BigInt(byte & 127) << BigInt((at - from) * 7);
    if (byte < 128) return { value, end: at + 1 };
  }
}
