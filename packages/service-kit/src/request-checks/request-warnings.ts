/** The limit of entries in the header `warnings`; the rest are counted. */
const NAMED_WARNINGS_MAX = 10;
const PATH_LENGTH_MAX = 100;
/** Usual member names. A long run of digits may be part of a card number and is not repeated. */
const SHOWN_PATH = /^[\w\-.[\]]{1,100}$/;
const DIGITS = /\d{7}/;
const HIDDEN_PATH = 'not_shown';

/** An oddity of the request that is not refused. */
export type RequestWarning =
  | { readonly kind: 'unknown_member' | 'unknown_query_member' | 'ignored_member'; readonly path: string }
  | { readonly kind: 'version_not_released'; readonly date: string };

/**
 * The text of the header `warnings`, or null without any: `unknown_member:colour, version_not_released:2027-01-01`. It
 * names things and repeats no values. Its length is limited, and it is safe in a header.
 */
export function formatWarnings(warnings: readonly RequestWarning[]): string | null {
  if (warnings.length === 0) return null;
  const named = warnings.slice(0, NAMED_WARNINGS_MAX).map((warning) => {
    return `${warning.kind}:${'path' in warning ? toShownPath(warning.path) : warning.date}`;
  });
  const more = warnings.length > NAMED_WARNINGS_MAX ? ['more'] : [];
  return [...named, ...more].join(', ');
}

/** The path of a member as an answer may repeat it. */
export function toShownPath(path: string): string {
  const text = path.slice(0, PATH_LENGTH_MAX);
  return SHOWN_PATH.test(text) && !DIGITS.test(text) ? text : HIDDEN_PATH;
}
