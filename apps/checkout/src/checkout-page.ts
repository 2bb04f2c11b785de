import { readdirSync, readFileSync } from 'node:fs';
import { completeChallenge, payByWallet } from '@pos/rest-contracts/card-vault/client-payments';
import * as payments from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import { readOfferedCards } from '@pos/rest-contracts/payment-intents/saved-cards';
import * as setups from '@pos/rest-contracts/setup-intents/setup-intent-operations';
import type { Page } from '@pos/service-kit/http/pages';
import type { Config } from './config.js';
import { FRAME_PATH, type Endpoints, SAVED_CARD_FRAME_PATH } from './page/endpoints.js';
import { CHECKOUT_STYLE } from './page-style.js';

/** The compiled `src/page`. Tests, which run the sources, need the build too. */
const SCRIPTS_FOLDER = new URL('../dist/page/', import.meta.url);
const SCRIPT_FILE = /^(?!.*\.test\.js$).*\.js$/;

/** The payment page for every intent, its style, and each of its compiled scripts. */
export function createCheckoutPages(config: Config): Page[] {
  const scripts = readdirSync(SCRIPTS_FOLDER)
    .filter((file) => SCRIPT_FILE.test(file))
    .sort();
  return [
    {
      path: '/checkout/:id',
      text: createCheckoutHtml(buildEndpoints(config), scripts),
      headers: {
        ...SECURITY_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': buildPolicy(config),
      },
    },
    createAsset('checkout.css', 'text/css', CHECKOUT_STYLE),
    ...scripts.map((file) => createAsset(file, 'text/javascript', readFileSync(new URL(file, SCRIPTS_FOLDER), 'utf8'))),
  ];
}

const SECURITY_HEADERS = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
};

function createAsset(file: string, type: string, text: string): Page {
  return { path: `/assets/${file}`, text, headers: { 'content-type': `${type}; charset=utf-8` } };
}

/** Allows only own scripts and calls to the API, the vault and issuers, and forbids other pages to embed the page. */
function buildPolicy({
  API_BASE_URL,
  CARD_VAULT_URL,
  CHALLENGE_ORIGINS,
  SANDBOX_WALLET_URL: walletSheetUrl,
}: Config): string {
  const [api, vault] = [new URL(API_BASE_URL).origin, new URL(CARD_VAULT_URL).origin];
  // The page shows these origins in frames, after it posted a form to them.
  const others = [
    ...new Set([...CHALLENGE_ORIGINS, ...(walletSheetUrl === undefined ? [] : [new URL(walletSheetUrl).origin])]),
  ];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The merchant's logo may be on any host; the request for it has no referrer.
    "img-src 'self' https:",
    `connect-src ${api} ${vault}`,
    `frame-src ${[vault, ...others].join(' ')}`,
    `form-action ${others.length === 0 ? "'none'" : others.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Builds the addresses from the operations, so that the page needs neither the operations nor their schemas. */
function buildEndpoints({ API_BASE_URL, CARD_VAULT_URL, SANDBOX_WALLET_URL }: Config): Endpoints {
  const [api, vault] = [API_BASE_URL, CARD_VAULT_URL].map((url) => url.replace(/\/$/, ''));
  return {
    payment: {
      read: `${api}${payments.readPublicPaymentIntent.path}`,
      refresh: `${api}${payments.refreshPublicClientSecret.path}`,
    },
    setup: {
      read: `${api}${setups.readPublicSetupIntent.path}`,
      refresh: `${api}${setups.refreshPublicSetupSecret.path}`,
    },
    savedCards: `${api}${readOfferedCards.path}`,
    cardFrame: `${vault}${FRAME_PATH}`,
    savedCardFrame: `${vault}${SAVED_CARD_FRAME_PATH}`,
    challenge: `${vault}${completeChallenge.path}`,
    wallet: `${vault}${payByWallet.path}`,
    walletSheet: SANDBOX_WALLET_URL ?? null,
  };
}

function createCheckoutHtml(endpoints: Endpoints, scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Payment</title>
<link rel="stylesheet" href="/assets/checkout.css">
${scripts.map((file) => `<link rel="modulepreload" href="/assets/${file}">`).join('\n')}
</head>
<body data-places="${escapeHtml(JSON.stringify(endpoints))}">
<main id="checkout" aria-busy="true"><p>One moment …</p><noscript><p>This page needs JavaScript.</p></noscript></main>
<script type="module" src="/assets/main.js"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
