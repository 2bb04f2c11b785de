import { createHash } from 'node:crypto';
import type { Page } from '@pos/service-kit/http/pages';
import { createFrameScript, type FrameTarget } from './frame-script.js';

const FRAME_STYLE = `
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }
body { margin: 0; }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 2px; }
label { display: grid; gap: 4px; font-size: 0.875rem; min-width: 0; }
.wide { grid-column: 1 / -1; }
input { font: inherit; box-sizing: border-box; width: 100%; padding: 10px 12px; border: 1px solid #767676; border-radius: 6px; }
input:focus-visible { outline: 2px solid #0b57d0; outline-offset: 1px; }
input[aria-invalid="true"] { border-color: #b3261e; }
p { grid-column: 1 / -1; margin: 0; color: #b3261e; min-height: 1.4em; }
@media (prefers-color-scheme: dark) { p { color: #f2b8b5; } }
`;

const CV2_FIELD = `<label>Security code
<input name="cV2" inputmode="numeric" autocomplete="cc-csc" maxlength="4" aria-describedby="said" required></label>`;

const CARD_FIELDS = `<label class="wide">Card number
<input name="cardNumber" inputmode="numeric" autocomplete="cc-number" maxlength="23" aria-describedby="said" required></label>
<label class="wide">Name on card
<input name="cardName" autocomplete="cc-name" maxlength="100" aria-describedby="said" required></label>
<label>Expires (MM/YY)
<input name="expiryDate" inputmode="numeric" autocomplete="cc-exp" maxlength="7" aria-describedby="said" required></label>
${CV2_FIELD}`;

/** The origins that may embed the fields, and the issuers' page that receives payers' device data. */
interface FrameSettings {
  readonly checkoutOrigins: readonly string[];
  readonly deviceDataUrl: string;
}

/**
 * The frames with the fields of a card, and with the one field of a saved card. A payment page of one of these origins
 * embeds them and never receives a field value: it sends the secret and receives the result.
 * docs/integrate/payment-pages.md lists the messages.
 */
export function createCardFrames(frameSettings: FrameSettings): Page[] {
  return [
    createFrame(frameSettings, { path: '/client/frame', fields: CARD_FIELDS, target: '/client/payments' }),
    createFrame(frameSettings, {
      path: '/client/frame/saved-card',
      fields: CV2_FIELD,
      target: '/client/payments/saved-card',
    }),
  ];
}

function createFrame(
  { checkoutOrigins, deviceDataUrl }: FrameSettings,
  { path, fields, target }: { readonly path: string; readonly fields: string; readonly target: FrameTarget },
): Page {
  const script = createFrameScript(checkoutOrigins, target);
  const issuer = new URL(deviceDataUrl).origin;
  const ancestors = checkoutOrigins.length === 0 ? "'none'" : checkoutOrigins.join(' ');
  const policy = [
    "default-src 'none'",
    `script-src '${computePolicyHash(script)}'`,
    `style-src '${computePolicyHash(FRAME_STYLE)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    `frame-src ${issuer}`,
    `form-action ${issuer}`,
    `frame-ancestors ${ancestors}`,
  ];
  return {
    path,
    text: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card details</title>
<style>${FRAME_STYLE}</style></head>
<body>
<form novalidate autocomplete="on">
${fields}
<p id="said" role="alert"></p>
</form>
<script>${script}</script></body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    },
  };
}

/** The browser runs only texts with these hashes, so injected scripts do not run. */
function computePolicyHash(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
