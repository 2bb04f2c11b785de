import { TextDecoder } from 'node:util';

/** The byte order marks. Each one overrides the charset of the header. */
const BYTE_ORDER_MARKS = [
  { bytes: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { bytes: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]+)"?/i;
const HTML_START = /^\s*<(?:!doctype\s+html|html|head|body)\b/i;
const HTML_START_LENGTH_MAX = 200;

/**
 * Decodes the body of an HTTP answer: by its byte order mark, else by the declared charset, else as UTF-8. The mark is no
 * part of the text.
 */
export function decodeAnswerText(body: Buffer, contentType: string | null): string {
  const mark = BYTE_ORDER_MARKS.find(({ bytes }) => body.subarray(0, bytes.length).equals(bytes));
  const declared = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return createDecoder(mark?.encoding ?? declared).decode(body);
}

/** Text without the mark that some programs write before it. */
export function removeByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether the answer is an HTML page, by its type or its first characters. */
export function isHtmlPage(text: string, contentType: string | null): boolean {
  if (HTML_START.test(text.slice(0, HTML_START_LENGTH_MAX))) return true;
  return isHtmlType(contentType ?? '') && text.trimStart().startsWith('<');
}

/** Whether a content type is that of an HTML page. */
export function isHtmlType(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** An unknown charset is read as UTF-8, in which JSON is written. */
function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder();
  }
}
