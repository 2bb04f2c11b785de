/** The style of the error pages: light and dark, and on narrow screens each row of the catalogue is a block. */
export const ERROR_PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #76767655; --accent: #0b57d0; --code: #7676761f; }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin: 24px 0 4px; }
p { margin: 4px 0 12px; max-width: 42rem; }
a { color: var(--accent); }
code { font: 0.9em ui-monospace, monospace; background: var(--code); border-radius: 4px; padding: 1px 4px; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow-wrap: normal; }
pre code { background: none; padding: 0; }
table { width: 100%; border-collapse: collapse; }
td, th { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
tr:target { background: var(--code); }
ul { padding-inline-start: 20px; }
li { margin-bottom: 8px; }
summary { cursor: pointer; }
.status { font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; border-bottom: 1px solid var(--line); padding: 12px 0; }
  td { display: block; border: 0; padding: 2px 0; }
}
@media (prefers-color-scheme: dark) { :root { --accent: #8ab4f8; } }
`;
