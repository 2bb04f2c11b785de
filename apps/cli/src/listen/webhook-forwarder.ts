/** How the receiver behind the listener answered. */
export type ForwardAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly ms: number; readonly body: string }
  | { readonly kind: 'unanswered'; readonly cause: string; readonly ms: number };

/** The service waits 15 seconds for its answer. */
const FORWARD_MS_MAX = 14_000;
const BODY_SHOWN_MAX = 200;
/** They belong to one connection; the length is that of the unchanged body. */
const OF_A_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive'];

/** Sends the raw body with its headers, so that the receiver can verify the signature itself. */
export async function forwardWebhook(
  url: string,
  raw: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<ForwardAnswer> {
  const begin = performance.now();
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !OF_A_CONNECTION.includes(entry[0]),
  );
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers: Object.fromEntries(passed), body: raw, redirect: 'manual' },
      signal: AbortSignal.timeout(FORWARD_MS_MAX),
    });
    const body = toPrintable((await response.text()).slice(0, BODY_SHOWN_MAX));
    return { kind: 'answered', status: response.status, ms: since(begin), body };
  } catch (error) {
    return { kind: 'unanswered', cause: describeCause(error), ms: since(begin) };
  }
}

function since(begin: number): number {
  return Math.round(performance.now() - begin);
}

function describeCause(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${FORWARD_MS_MAX / 1000} s`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return String(cause);
}

/** One line without control characters: a terminal would obey them. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
