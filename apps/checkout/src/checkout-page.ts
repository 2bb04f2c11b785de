import path from 'node:path';
import { compressText, type Page } from '@pos/service-kit/http';
import { PAGE_FILE, readInventoriedFiles } from '@pos/service-kit/web-site';
import type { Config } from './config.js';
import type { ServiceUrls } from './page/service/service-urls.js';

/** The bundle of `src/page`. Tests, which run the sources, need the build too. */
const SITE_FOLDER = new URL('../dist/site/', import.meta.url);
const SERVICES_PLACE = '%SERVICES%';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/**
 * The payment page for every intent, its script and its style. Throws a `StartFailure` when they are not as they were
 * built.
 */
export function createCheckoutPages(config: Config): Page[] {
  const files = readInventoriedFiles(SITE_FOLDER);
  const html = files.get(PAGE_FILE);
  if (html === undefined) throw new Error('the build has no payment page');
  const assets = [...files].filter(([file]) => file !== PAGE_FILE);
  return [
    {
      path: '/checkout/:id',
      ...compressText(html.replace(SERVICES_PLACE, escapeHtml(JSON.stringify(listServices(config))))),
      headers: {
        ...SECURITY_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': buildPolicy(config),
        // A script whose tag has no hash does not run, in browsers that know the header.
        'integrity-policy': 'blocked-destinations=(script)',
      },
    },
    ...assets.map(([file, text]) => createAsset(file, text)),
  ];
}

const SECURITY_HEADERS = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Its name contains a hash of its content, so it may be cached for a year. */
function createAsset(file: string, text: string): Page {
  const headers = {
    'content-type': TYPES[path.extname(file)] ?? '',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  };
  return { path: `/${file}`, headers, ...compressText(text) };
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
    // No text of an integrator can become a script: assignments to innerHTML and the like throw.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function listServices({ API_BASE_URL, CARD_VAULT_URL, SANDBOX_WALLET_URL }: Config): ServiceUrls {
  const [api = '', vault = ''] = [API_BASE_URL, CARD_VAULT_URL].map((url) => url.replace(/\/$/, ''));
  return { api, vault, walletSheet: SANDBOX_WALLET_URL ?? null };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
