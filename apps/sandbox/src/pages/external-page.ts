import { createHash } from 'node:crypto';
import type { PageContent } from '@pos/service-kit/http';

const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --surface: light-dark(#fff, #1b1f2a);
  --hover: light-dark(#f1f3f6, #272c3a);
  --line: light-dark(#767d92, #757d95);
  --muted: light-dark(#525a6e, #a3abbf);
  --accent: light-dark(#1d4ed8, #93b0ff);
  font: 16px/1.5 system-ui, sans-serif;
}
body { margin: 0; padding: 20px; background: var(--surface); }
h1 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 4px; }
p { margin: 0 0 16px; color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  flex: 1 1 120px; min-height: 44px; padding: 8px 14px; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: 8px; cursor: pointer;
}
button:hover { background: var(--hover); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button.card { flex-basis: 100%; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; text-align: left; }
button.card span { color: var(--muted); }
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
