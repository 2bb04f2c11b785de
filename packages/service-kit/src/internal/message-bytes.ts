/** The bytes that a message was decoded from, as long as the message exists. */
const bytesOfMessage = new WeakMap<object, Uint8Array>();

interface Decoder {
  requestDeserialize(bytes: Buffer): unknown;
}

/** Returns the rpc with a codec that keeps the received bytes, which a signature is about. */
export function keepMessageBytes<R extends Decoder>(rpc: R): R {
  return {
    ...rpc,
    requestDeserialize(bytes: Buffer) {
      const message = rpc.requestDeserialize(bytes);
      if (typeof message === 'object' && message !== null) bytesOfMessage.set(message, bytes);
      return message;
    },
  };
}

/** The bytes of a message that was received by an rpc of `keepMessageBytes`; null for any other value. */
export function findMessageBytes(message: unknown): Uint8Array | null {
  return typeof message === 'object' && message !== null ? (bytesOfMessage.get(message) ?? null) : null;
}
