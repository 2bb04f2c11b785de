import { isRecordableText } from '../activities/recorded-json.js';

/** How much of the answer of a receiver is stored, in UTF-16 units. */
const RECORDED_ANSWER_LENGTH_MAX = 200;
const BYTES_MAX = RECORDED_ANSWER_LENGTH_MAX * 6;

/**
 * The beginning of a receiver's answer, as the activity log may store it; null for an empty answer, and for one that
 * looks like a secret or a card number. Characters of control become spaces: the answer may be of any form.
 */
export function recordAnswer(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, BYTES_MAX))
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ')
    .trim();
  const stored = cutText(text, 0);
  // The second part shows what the end of the first one begins with: a secret must not be stored in half.
  const next = cutText(text, RECORDED_ANSWER_LENGTH_MAX / 2);
  return stored !== '' && isRecordableText(stored) && isRecordableText(next) ? stored : null;
}

/** A surrogate pair at an end is left out whole. */
function cutText(text: string, start: number): string {
  return text.slice(start, start + RECORDED_ANSWER_LENGTH_MAX).replaceAll(/\p{Surrogate}/gu, '');
}
