/** `createPaymentIntent` as `create_payment_intent`. */
export function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The name of the iterator of a listing: `searchPaymentIntents` becomes `iteratePaymentIntents`. */
export function nameIterator(operation: string): string {
  const [, noun] = /^(?:list|search|read)([A-Z]\w*)$/.exec(operation) ?? [];
  if (noun === undefined) throw new Error(`the listing ${operation} has another verb than list, search or read`);
  return `iterate${noun}`;
}

/** The lines of a text, none longer than the width unless a word is. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
