/** The style of the report, for light and dark mode. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5c6670; --line: #dde2e7; --paper: #fff; --back: #f4f6f8; --good: #1a7f4b; --bad: #c02636; --known: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #343b43; --paper: #1c2127; --back: #14181c; --good: #4cc38a; --bad: #ff7b86; --known: #e3b341; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); }
header { padding: 1.5rem max(1.5rem, calc(50vw - 36rem)); background: var(--paper); border-bottom: 1px solid var(--line); border-top: 6px solid var(--good); }
header.bad { border-top-color: var(--bad); }
header h1 { margin: 0; font-size: 1.6rem; }
header p { margin: .3rem 0; color: var(--soft); overflow-wrap: anywhere; }
header dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .8rem 0; }
header dt { color: var(--soft); }
header dd { margin: 0; overflow-wrap: anywhere; }
header .certificate { margin: .6rem 0; padding: .5rem .75rem; border-left: 4px solid var(--good); background: var(--back); color: var(--ink); }
header .certificate.bad { border-left-color: var(--bad); }
main { max-width: 75rem; margin: 0 auto; padding: 0 1.5rem 4rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.3rem; }
h3 { margin: 0 0 .3rem; font-size: .95rem; }
a { color: inherit; }
nav a { margin-right: 1rem; }
code, pre { font: .86em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem; background: var(--back); border-radius: 6px; white-space: pre-wrap; }
summary { cursor: pointer; }
.flow { margin: .35rem 0; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
.flow > summary { padding: .5rem .75rem; }
.flow > :not(summary) { margin-left: .75rem; margin-right: .75rem; }
.step { margin: .75rem 0; padding-top: .6rem; border-top: 1px solid var(--line); }
.because { padding-left: 1.2rem; }
.because li { margin: .35rem 0; }
.because li::marker { color: var(--bad); }
.took { color: var(--soft); font-weight: normal; font-size: .86em; }
.skipped, .talk, .checks > summary { color: var(--soft); }
.badge { display: inline-block; min-width: 4.5rem; padding: 0 .5rem; border-radius: 1rem; font-size: .8em; text-align: center; border: 1px solid currentColor; color: var(--soft); }
.badge.good, .held > td:first-child { color: var(--good); }
.badge.bad, .broken > td:first-child, .shown.bad { color: var(--bad); }
.badge.known { color: var(--known); }
.dot { display: inline-block; width: .6rem; height: .6rem; margin-right: .4rem; border-radius: 50%; background: var(--bad); }
.dot.good { background: var(--good); }
table { width: 100%; border-collapse: collapse; background: var(--paper); font-size: .9em; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 5.5rem; font-weight: bold; }
.step table { table-layout: fixed; }
.step th:nth-child(1) { width: 5.5rem; }
.step th:nth-child(2) { width: 34%; }
.step th:nth-child(3) { width: 20%; }
tr.broken { background: color-mix(in srgb, var(--bad) 10%, transparent); }
.gap em { color: var(--soft); }
.shown { margin-right: .6rem; }
@media (max-width: 45rem) {
.step table, .step tbody, .step tr, .step td { display: block; width: auto; }
.step thead { display: none; }
.step td { border: 0; padding: .1rem .5rem; }
.step tr { padding: .3rem 0; border-bottom: 1px solid var(--line); }
td:first-child { width: 3rem; }
header dl { grid-template-columns: 1fr; }
header dd { margin-bottom: .3rem; }
}
@media print {
:root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --back: #fff; --good: #1a7f4b; --bad: #a01525; --known: #7a5200; }
body { font-size: 10pt; }
nav { display: none; }
main { padding: 0; }
.flow, .step, tr { break-inside: avoid; }
h2, summary { break-after: avoid; }
#failures .flow { break-inside: auto; }
details.skipped::details-content, details.flow[open]::details-content { content-visibility: visible; block-size: auto; }
}
`;
