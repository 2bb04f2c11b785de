import { createHash } from 'node:crypto';
import { requireValue } from '@pos/core/refusals';
import { CARD_FRAME_PATH, payByCard, payBySavedCard, SAVED_CARD_FRAME_PATH } from '@pos/rest-contracts/card-vault';
import { compressText, type Page, type PageContent } from '@pos/service-kit/http';
import { readInventoriedFiles } from '@pos/service-kit/web-site';

/** The origins that may embed the fields, and the issuers' page that receives payers' device data. */
interface FrameSettings {
  readonly checkoutOrigins: readonly string[];
  readonly deviceDataUrl: string;
  /** False when left out: the hosted page knows its intent by itself. */
  readonly paysOnlyIntentOfAddress?: boolean;
}

/** The bundle of `page`. Tests, which run the sources, need the build too. */
const BUNDLE_FOLDER = new URL('../../dist/card-fields/', import.meta.url);

/**
 * The frames with the fields of a card, and with the one field of a saved card, for the hosted payment page. A page of one
 * of these origins embeds them and never receives a field value: it sends the secret and receives the result.
 * docs/integrate/payment-pages.md lists the messages.
 */
export function createCardFrames(frameSettings: FrameSettings): Page[] {
  return [createFrame(frameSettings, WHOLE_CARD), createFrame(frameSettings, SAVED_CARD)];
}

/** What a frame collects, and where it sends it. */
export interface FrameKind {
  readonly path: string;
  readonly target: (typeof payByCard | typeof payBySavedCard)['path'];
  readonly hasWholeCard: boolean;
}

export const WHOLE_CARD: FrameKind = { path: CARD_FRAME_PATH, target: payByCard.path, hasWholeCard: true };
export const SAVED_CARD: FrameKind = {
  path: SAVED_CARD_FRAME_PATH,
  target: payBySavedCard.path,
  hasWholeCard: false,
};

function createFrame(frameSettings: FrameSettings, kind: FrameKind): Page {
  const { text, headers } = renderFrame(frameSettings, kind);
  return { path: kind.path, headers, ...compressText(text) };
}

/**
 * The text and the headers of a frame that only pages of these origins may embed. Script and style are in the page itself:
 * the fields need one request. A frame for pages of an integrator pays only the intent of its address.
 */
export function renderFrame(
  { checkoutOrigins, deviceDataUrl, paysOnlyIntentOfAddress = false }: FrameSettings,
  { target, hasWholeCard }: FrameKind,
): PageContent {
  const script = readBundle('frame.js');
  const style = readBundle('frame.css');
  const issuer = new URL(deviceDataUrl).origin;
  const ancestors = checkoutOrigins.length === 0 ? "'none'" : checkoutOrigins.join(' ');
  const policy = [
    "default-src 'none'",
    `script-src '${computePolicyHash(script)}'`,
    `style-src '${computePolicyHash(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    `frame-src ${issuer}`,
    `form-action ${issuer}`,
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const settings = escapeHtml(
    JSON.stringify({ parents: checkoutOrigins, target, hasWholeCard, paysOnlyIntentOfAddress }),
  );
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card details</title>
<style>${style}</style></head>
<body data-settings="${settings}">
<script>${script}</script></body>
</html>
`;
  return {
    text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'x-content-type-options': 'nosniff',
    },
  };
}

let bundle: ReadonlyMap<string, string> | null = null;

/** The files as they were at the start: one that is changed later is not served. */
function readBundle(file: string): string {
  bundle ??= readInventoriedFiles(BUNDLE_FOLDER);
  return requireValue(bundle.get(file), `the file ${file} of the card fields`).trim().replaceAll('</', '<\\/');
}

/** The browser runs only texts with these hashes, so injected scripts do not run. */
function computePolicyHash(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
