import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compressText, type Page } from '../http/pages.js';

/** The built files of a web page, and the addresses that show it. */
export interface WebSite {
  /** The folder that the bundler wrote: `index.html`, and `assets` with names that contain a hash of the content. */
  readonly folder: string;
  /** Every address of the page, in the router's spelling: `/payments/:id`. Other addresses stay unknown. */
  readonly paths: readonly string[];
  readonly policy: ContentPolicy;
}

/** What the page may load beside its own files. */
export interface ContentPolicy {
  /** Origins of images, for example `https:` for logos. */
  readonly images?: readonly string[];
  /** Origins of requests beside its own. */
  readonly connections?: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Reads a built page once, at the start: its files stay in memory. Assets may be cached for a year, because other content
 * has another name; the page itself is requested each time. Throws when the folder or a type is missing.
 */
export function readWebSite({ folder, paths, policy }: WebSite): Page[] {
  const html = compressText(readFileSync(path.join(folder, 'index.html')));
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': buildContentPolicy(policy),
  };
  const assets = readdirSync(path.join(folder, 'assets')).sort();
  return [
    ...paths.map((address) => ({ path: address, headers, ...html })),
    ...assets.map((file) => createAsset(file, readFileSync(path.join(folder, 'assets', file)))),
  ];
}

const SECURITY_HEADERS = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function createAsset(file: string, content: Buffer): Page {
  const type = TYPES[path.extname(file)];
  if (type === undefined) throw new Error(`The file ${file} of the page has no known content type.`);
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  };
  return { path: `/assets/${file}`, headers, ...compressText(content) };
}

/** Allows own scripts, styles and requests only, and no text as script: sinks for HTML throw. */
function buildContentPolicy({ images = [], connections = [] }: ContentPolicy): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...images].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
