import { createHash } from 'node:crypto';
import type { PageContent } from '@pos/service-kit/http/pages';

const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 24px; }
h1 { font-size: 1.25rem; margin: 0 0 8px; }
form { display: flex; flex-wrap: wrap; gap: 12px; }
button { font: inherit; padding: 10px 20px; }
`;

/** A page of an external party, with rules that forbid all foreign content. */
export function createExternalPage(title: string, body: string, rules: readonly string[]): PageContent {
  const policy = ["default-src 'none'", `style-src '${computePolicyHash(PAGE_STYLE)}'`, "base-uri 'none'", ...rules];
  return {
    text: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${PAGE_STYLE}</style></head>
<body>${body}</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
    },
  };
}

/** Escapes a text for an attribute or an element. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The source expression of an inline script in a content security policy. */
export function computePolicyHash(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
