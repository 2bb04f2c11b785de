/** The style of the payment page. */
export const CHECKOUT_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #76767655; --accent: #0b57d0; --alarm: #b3261e; }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; overflow-wrap: anywhere; }
main { max-width: 32rem; margin: 0 auto; display: grid; gap: 20px; }
header { display: flex; align-items: center; gap: 12px; }
header img { max-height: 48px; max-width: 40%; }
header p { margin: 0; font-weight: 600; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h1:focus { outline: none; }
.facts { display: grid; gap: 8px; }
.facts p { margin: 0; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; }
td, th { padding: 6px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
td { text-align: end; white-space: nowrap; padding-inline-start: 12px; }
th small { display: block; opacity: 0.8; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
.quiet { font-size: 0.875rem; opacity: 0.85; }
form { display: grid; gap: 16px; }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin: 0; display: grid; gap: 12px; min-width: 0; }
label { display: grid; gap: 4px; font-size: 0.875rem; }
label.box { display: flex; gap: 8px; align-items: start; font-size: 1rem; }
input:not([type=checkbox], [type=radio]), select { font: inherit; padding: 10px 12px; border: 1px solid #767676; border-radius: 6px; width: 100%; }
.terms { max-height: 12rem; overflow: auto; white-space: pre-line; border: 1px solid var(--line); border-radius: 8px; padding: 12px; }
[role=radiogroup], .wallets { display: grid; gap: 8px; }
iframe { border: 0; width: 100%; height: 280px; }
button { font: inherit; font-weight: 600; padding: 12px 20px; border: 0; border-radius: 8px; background: var(--accent); color: #fff; cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
button.plain { background: none; color: inherit; border: 1px solid var(--line); font-weight: 400; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role=alert] { color: var(--alarm); }
form p { margin: 0; }
form p:empty { margin-top: -16px; }
dialog { border: 1px solid var(--line); border-radius: 8px; padding: 16px; width: min(32rem, 95vw); }
dialog iframe { height: 400px; }
[hidden] { display: none !important; }
@media (prefers-color-scheme: dark) { :root { --alarm: #f2b8b5; --accent: #4c8df6; } }
`;
