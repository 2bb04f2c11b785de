import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MOVES } from '@pos/core/payment-intents';
import { PLACEMENT_MOVES } from '@pos/core/orders';
import { SETUP_MOVES } from '@pos/core/setup-intents';
import { TABLE_PAYMENT_MOVES } from '@pos/core/tables';
import { RELEASES } from '@pos/rest-contracts/versions';
import { VERSION_CHANGES } from '@pos/rest-contracts/testing';
import { REPOSITORY } from '../repository/repository.js';
import { renderEventKinds } from './event-kinds.js';
import { renderRepeatRules } from './repeat-rules.js';
import { renderMovesDiagram, renderMovesTable } from './moves.js';
import { renderStateMachinesPage } from './state-machines.js';
import { listFileLinks, PAGES, readPage, replaceSection } from './page-blocks.js';



test.each(PAGES)('the links of %s lead to files', (page) => {
  const folder = path.join(REPOSITORY, path.dirname(page));
  expect(listFileLinks(readPage(page)).filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
});

test.each([
  'README.md',
  'docs/contribute/architecture.md',
  'docs/operate/security.md',
  'docs/reference/state-machines.md',
])('the files that %s names exist', (page) => {
  const named = [...readPage(page).matchAll(/`((?:packages|apps|tools|docs|proto)\/[^`]*)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
});

test('the index of decisions lists the number, title and status of each record', () => {
  const page = 'docs/decisions/README.md';
  const files = readdirSync(path.join(REPOSITORY, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const rows = files.sort().map((file) => {
    const record = readPage(`docs/decisions/${file}`);
    const [, number = '', title = ''] = /^# (\d{4}) (.*)$/m.exec(record) ?? [];
    const [, status = ''] = /^\*\*Status\*\* (.*)$/m.exec(record) ?? [];
    expect(number).toBe(file.slice(0, 4));
    expect(status).not.toBe('');
    return `| [${number}](${file}) | ${title} | ${status} |`;
  });
  const table = ['| number | title | status |', '| --- | --- | --- |', ...rows].join('\n');
  const wanted = replaceSection(readPage(page), 'decisions', `${table}\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test.each([
  ['moves of an intent', renderMovesTable(MOVES)],
  ['moves of a setup intent', renderMovesTable(SETUP_MOVES)],
  ['moves of a payment at the table', renderMovesTable(TABLE_PAYMENT_MOVES)],
  ['moves of an order that is paid in advance', renderMovesTable(PLACEMENT_MOVES)],
])('docs/contribute/life-of-a-payment.md shows the %s of the code', (name, table) => {
  const page = 'docs/contribute/life-of-a-payment.md';
  const wanted = replaceSection(readPage(page), name, table);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test('docs/reference/state-machines.md shows every state machine of the code', () => {
  const page = 'docs/reference/state-machines.md';
  const wanted = renderStateMachinesPage();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test('a diagram has one arrow for all moves between two states', () => {
  const moves = { Open: { pay: 'Paid', payRest: 'Paid', cancel: 'Canceled' }, Paid: {}, Canceled: {} };
  expect(renderMovesDiagram(moves).split('\n')).toEqual([
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> Open',
    '  Open --> Paid: pay, payRest',
    '  Open --> Canceled: cancel',
    '  Paid --> [*]',
    '  Canceled --> [*]',
    '```',
    '',
  ]);
});

test('docs/integrate/webhook-events.md lists every kind of event', () => {
  const page = 'docs/integrate/webhook-events.md';
  const wanted = replaceSection(readPage(page), 'kinds', renderEventKinds());
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test('docs/integrate/handle-errors.md lists which requests may be repeated', () => {
  const page = 'docs/integrate/handle-errors.md';
  const wanted = replaceSection(readPage(page), 'repeats', renderRepeatRules());
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test('docs/reference/api-versions.md lists every difference between releases', () => {
  const page = 'docs/reference/api-versions.md';
  const releases = [...new Set(VERSION_CHANGES.map(({ since }) => since))];
  const rows = releases.map((release) => {
    const lines = VERSION_CHANGES.filter(({ since }) => since === release).map(({ says }) => `- ${says}`);
    return `### From ${release}\n\n${lines.join('\n')}\n`;
  });
  const quiet = RELEASES.slice(1).filter((release) => !releases.includes(release));
  const wanted = replaceSection(readPage(page), 'differences', `${rows.join('\n')}\n${quiet.join(', ')}: nothing.\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});
