import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createScriptInventoryPlugin, readInventoriedFiles } from './script-inventory.js';

const PURPOSES = { index: 'Shows the payment.' };
const HTML = `<html><head>
<script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="stylesheet" crossorigin href="/assets/index-2.css">
</head></html>`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-page-'));
  mkdirSync(path.join(folder, 'assets'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a page as the bundler does, with a script, a style and these files. */
function build(html = HTML, more: readonly string[] = [], purposes: Readonly<Record<string, string>> = PURPOSES): void {
  const script = (fileName: string, name: string) => ({
    type: 'chunk' as const,
    fileName,
    name,
    code: `run("${name}")`,
  });
  const bundle = {
    'index.html': { type: 'asset' as const, fileName: 'index.html', source: html },
    script: script('assets/index-1.js', 'index'),
    style: { type: 'asset' as const, fileName: 'assets/index-2.css', name: 'index.css', source: Buffer.from('a {}') },
    ...Object.fromEntries(more.map((name) => [name, script(`assets/${name}-3.js`, name)])),
  };
  const written: { fileName: string; source: string }[] = [];
  const emitFile = (file: { fileName: string; source: string }): unknown => written.push(file);
  createScriptInventoryPlugin(purposes).generateBundle.call({ emitFile }, {}, bundle);
  for (const output of [...Object.values(bundle), ...written]) {
    write(output.fileName, String('code' in output ? output.code : output.source));
  }
}

const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
const read = () => readInventoriedFiles(pathToFileURL(`${folder}/`));

test('a page that is as it was built is read with its scripts and styles', () => {
  build();
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  expect([...read()].sort()).toEqual([
    ['assets/index-1.js', 'run("index")'],
    ['assets/index-2.css', 'a {}'],
    ['index.html', html],
  ]);
  expect(html.match(/ integrity="sha384-[\w+/]{64}">/g)).toHaveLength(2);
});

test.each([
  [
    'a script without a purpose',
    HTML,
    ['tracker'],
    PURPOSES,
    /may not run assets\/tracker-3\.js: authorise the script/,
  ],
  ['a purpose without a script', HTML, [], { ...PURPOSES, gone: 'Nothing.' }, /the page has no script gone/],
  ['a script in the page', `${HTML}<script>steal()</script>`, [], PURPOSES, /may not contain <script>/],
  ['a foreign script', `${HTML}<script src="https://cdn.example/a.js"></script>`, [], PURPOSES, /contain <script src=/],
  ['a script in capitals', `${HTML}<SCRIPT SRC="https://cdn.example/a.js">`, [], PURPOSES, /contain <SCRIPT SRC=/],
  ['a foreign style', `${HTML}<link href="https://cdn.example/a.css" rel=stylesheet>`, [], PURPOSES, /contain <link /],
])('a build with %s fails', (_, html, more, purposes, message) => {
  expect(() => build(html, more, purposes)).toThrow(message);
});

test.each([
  ['a changed script', () => write('assets/index-1.js', 'steal()'), 'assets/index-1.js was changed after the build'],
  ['a changed style', () => write('assets/index-2.css', 'b {}'), 'assets/index-2.css was changed after the build'],
  ['another script', () => write('assets/more.js', 'steal()'), 'assets/more.js is not in scripts.json'],
  ['a script beside the page', () => write('more.mjs', 'steal()'), 'more.mjs is not in scripts.json'],
  ['a removed style', () => rmSync(path.join(folder, 'assets/index-2.css')), 'assets/index-2.css is missing'],
  ['a script in the page', () => write('index.html', `${HTML}<script>a()</script>`), 'index.html was changed after'],
  ['a script with an empty hash', () => write('index.html', '<script integrity="">a()</script>'), 'index.html was'],
  ['a tag without its hash', () => write('index.html', HTML), 'index.html was changed after the build'],
  ['a removed page', () => rmSync(path.join(folder, 'index.html')), 'index.html is missing'],
  ['an inventory that cannot be read', () => write('scripts.json', '[{'), 'scripts.json of the payment page cannot be'],
  ['no inventory', () => rmSync(path.join(folder, 'scripts.json')), 'has no scripts.json'],
])('a page with %s is not served', (_, change, problem) => {
  build();
  change();
  expect(read).toThrow(expect.objectContaining({ name: 'StartFailure', message: expect.stringContaining(problem) }));
});
