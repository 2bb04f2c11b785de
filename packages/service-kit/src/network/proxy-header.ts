import { isIP } from 'node:net';

/** What the first bytes of a connection say. `address` is null for a connection that the proxy opened for itself. */
export type ProxyHeader =
  | { readonly state: 'complete'; readonly length: number; readonly address: string | null; readonly port: number }
  | { readonly state: 'incomplete' }
  | { readonly state: 'invalid' };

const INCOMPLETE: ProxyHeader = { state: 'incomplete' };
const INVALID: ProxyHeader = { state: 'invalid' };

/** Reads a PROXY header of version 1 or 2, as HAProxy defines them, at the begin of a connection. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (isPrefix(bytes, SIGNATURE_2)) return bytes.length < HEAD_2_BYTES ? INCOMPLETE : readVersion2(bytes);
  if (isPrefix(bytes, SIGNATURE_1)) return readVersion1(bytes);
  return INVALID;
}

const SIGNATURE_1 = Buffer.from('PROXY ');
const LINE_BYTES_MAX = 107;
const LINE = /^PROXY TCP([46]) (\S+) (\S+) (\d{1,5}) (\d{1,5})$/;
const LINE_UNKNOWN = /^PROXY UNKNOWN( |$)/;

function readVersion1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, LINE_BYTES_MAX).indexOf('\r\n');
  if (end === -1) return bytes.length < LINE_BYTES_MAX ? INCOMPLETE : INVALID;
  const line = bytes.toString('latin1', 0, end);
  const length = end + 2;
  if (LINE_UNKNOWN.test(line)) return { state: 'complete', length, address: null, port: 0 };
  const [, family, address = '', , port = ''] = LINE.exec(line) ?? [];
  if (family === undefined || isIP(address) !== Number(family)) return INVALID;
  return { state: 'complete', length, address, port: Number(port) };
}

const SIGNATURE_2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const HEAD_2_BYTES = 16;
/** Room for the addresses and for what proxies add to them. */
const BODY_2_BYTES_MAX = 2_048;
const FROM_PROXY_ITSELF = 0x20;
const FOR_CLIENT = 0x21;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;

function readVersion2(bytes: Buffer): ProxyHeader {
  const [command, transport] = [bytes.readUInt8(12), bytes.readUInt8(13)];
  const bodyLength = bytes.readUInt16BE(14);
  if (bodyLength > BODY_2_BYTES_MAX) return INVALID;
  const length = HEAD_2_BYTES + bodyLength;
  if (bytes.length < length) return INCOMPLETE;
  const body = bytes.subarray(HEAD_2_BYTES, length);
  if (command === FROM_PROXY_ITSELF) return { state: 'complete', length, address: null, port: 0 };
  if (command !== FOR_CLIENT) return INVALID;
  if (transport === TCP_OVER_IPV4 && bodyLength >= 12) {
    return { state: 'complete', length, address: [...body.subarray(0, 4)].join('.'), port: body.readUInt16BE(8) };
  }
  if (transport === TCP_OVER_IPV6 && bodyLength >= 36) {
    const groups = Array.from({ length: 8 }, (_, index) => body.readUInt16BE(2 * index).toString(16));
    return { state: 'complete', length, address: groups.join(':'), port: body.readUInt16BE(32) };
  }
  return INVALID;
}

/** Whether the bytes so far are those of the signature. */
function isPrefix(bytes: Buffer, signature: Buffer): boolean {
  const common = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, common).equals(signature.subarray(0, common));
}
