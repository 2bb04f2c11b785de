/** The part of a body that was read. */
export interface ReadBody {
  readonly bytes: Buffer;
  /** The body continues, or broke: nothing more is read, and its connection is closed. */
  readonly isCut: boolean;
}

/** A body as a call receives it. Destroying it closes its connection. */
type AnswerStream = AsyncIterable<Buffer> & {
  destroy: (error?: Error) => unknown;
  on: (event: 'error', listener: () => void) => unknown;
};

/** Reads a body to its end, or to the limit. Throws where it breaks. */
export async function readBody(body: AnswerStream, bytesMax: number): Promise<ReadBody> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the body, and with it the connection: nothing more is read.
  for await (const part of body) {
    parts.push(part.subarray(0, bytesMax - size));
    size += part.length;
    if (size > bytesMax) return { bytes: Buffer.concat(parts), isCut: true };
  }
  return { bytes: Buffer.concat(parts), isCut: false };
}

/** Reads the beginning of a body that decides nothing. One that breaks or does not end in time is left as it is. */
export async function readBodyBriefly(
  body: AnswerStream,
  { bytesMax, waitMs }: { readonly bytesMax: number; readonly waitMs: number },
): Promise<ReadBody> {
  const parts: Buffer[] = [];
  let size = 0;
  // A body that is destroyed reports it as an error, which no one waits for.
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), waitMs);
  try {
    for await (const part of body) {
      parts.push(part.subarray(0, bytesMax - size));
      size += part.length;
      if (size > bytesMax) return { bytes: Buffer.concat(parts), isCut: true };
    }
    return { bytes: Buffer.concat(parts), isCut: false };
  } catch {
    return { bytes: Buffer.concat(parts), isCut: true };
  } finally {
    clearTimeout(timer);
  }
}
