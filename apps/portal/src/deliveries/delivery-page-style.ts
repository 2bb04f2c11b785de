/** The style of the page of deliveries: the colours of the portal, in both themes. */
export const DELIVERY_PAGE_STYLE = `:root {
  color-scheme: light dark;
  --page: #f6f7f9; --surface: #fff; --border: #e3e6ec; --text: #141a26; --muted: #586174; --link: #3040c4;
  --positive: #12652f; --negative: #a51f1f; --attention: #8a3f06; --progress: #3040c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1219; --surface: #161c27; --border: #283142; --text: #eaeef6; --muted: #a1acc0; --link: #a9b4ff;
    --positive: #7edda0; --negative: #ff9d9d; --attention: #f6bf72; --progress: #a9b4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1.25rem; background: var(--page); color: var(--text);
  font: 0.875rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 72rem; margin: 0 auto; }
h1 { margin: 0 0 0.25rem; font-size: 1.25rem; font-weight: 650; letter-spacing: -0.01em; }
header p, footer p { margin: 0 0 1rem; color: var(--muted); overflow-wrap: anywhere; }
footer p { margin: 1rem 0 0; }
a { color: var(--link); }
.frame { overflow-x: auto; border: 1px solid var(--border); border-radius: 0.875rem; background: var(--surface); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.625rem 0.875rem; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
th { color: var(--muted); font-size: 0.75rem; font-weight: 600; white-space: nowrap; }
td { white-space: nowrap; }
td:nth-child(1), td:nth-child(5) { min-width: 7.5rem; white-space: normal; }
td:last-child { min-width: 9rem; white-space: normal; }
tr:last-child td { border-bottom: 0; }
code { font: 0.8125rem ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.state { font-weight: 600; }
.Pending { color: var(--progress); }
.Held { color: var(--attention); }
.Delivered { color: var(--positive); }
.DeadLettered { color: var(--negative); }
summary { width: fit-content; color: var(--link); cursor: pointer; }
details ol { margin: 0.25rem 0 0; padding: 0; list-style: none; color: var(--muted); font-size: 0.8125rem; }
`;
