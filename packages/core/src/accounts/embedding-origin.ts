import type { Environment } from '../identity/identity.js';

/** Every origin is a source in a header of the frame, whose length browsers limit. */
export const EMBEDDING_ORIGINS_MAX = 20;

const ORIGIN_LENGTH_MAX = 200;
const PORT = String.raw`(?::(?!0)\d{1,5})?`;
/** Names in lower case, as browsers send them; no wildcard, because everybody may have a page below a shared domain. */
const HTTPS_ORIGIN = new RegExp(
  String.raw`^https://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}${PORT}$`,
);
const LOOPBACK_ORIGIN = new RegExp(String.raw`^https?://(?:localhost|127\.0\.0\.1)${PORT}$`);

/**
 * Whether a page of this origin may be allowed to embed the card fields. The text must be the one that browsers send as
 * `Origin`: without a path, a default port, or upper case. In the sandbox the developer's machine may use http.
 */
export function isEmbeddingOrigin(text: string, environment: Environment): boolean {
  if (text.length > ORIGIN_LENGTH_MAX || !isSerializedOrigin(text)) return false;
  return HTTPS_ORIGIN.test(text) || (environment === 'sandbox' && LOOPBACK_ORIGIN.test(text));
}

/** Whether the text is exactly the origin of an address: `https://a.example:443` is not. */
function isSerializedOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
