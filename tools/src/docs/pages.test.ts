import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MOVES } from '@pos/core/payment-intent';
import { PLACEMENT_MOVES } from '@pos/core/order-placement';
import { SETUP_MOVES } from '@pos/core/setup-intent';
import { TABLE_PAYMENT_MOVES } from '@pos/core/table-payment';
import { VERSION_CHANGES } from '@pos/rest-contracts/version-changes';
import { RELEASES } from '@pos/rest-contracts/versions';
import { REPOSITORY } from '../repository.js';
import { movesTable } from './moves.js';
import { fileLinks, PAGES, readPage, withSection } from './page-blocks.js';



test.each(PAGES)('the links of %s lead to files', (page) => {
  const folder = path.join(REPOSITORY, path.dirname(page));
  expect(fileLinks(readPage(page)).filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
});

test.each(['README.md', 'docs/contribute/architecture.md', 'docs/operate/security.md'])('the files that %s names are there', (page) => {
  const named = [...readPage(page).matchAll(/`((?:packages|apps|tools|docs|proto)\/[^`]*)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
});

test('the index of decisions lists each of them by its title', () => {
  const page = 'docs/decisions/README.md';
  const files = readdirSync(path.join(REPOSITORY, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const titles = files.sort().map((file) => {
    const [, title = ''] = /^# (.*)$/m.exec(readPage(`docs/decisions/${file}`)) ?? [];
    expect(title.slice(0, 4)).toBe(file.slice(0, 4));
    return `- [${title}](${file})`;
  });
  const wanted = withSection(readPage(page), 'decisions', `${titles.join('\n')}\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test.each([
  ['moves of an intent', movesTable(MOVES)],
  ['moves of a setup intent', movesTable(SETUP_MOVES)],
  ['moves of a payment at the table', movesTable(TABLE_PAYMENT_MOVES)],
  ['moves of an order that is paid in advance', movesTable(PLACEMENT_MOVES)],
])('docs/contribute/life-of-a-payment.md shows the %s as the code has them', (name, table) => {
  const page = 'docs/contribute/life-of-a-payment.md';
  const wanted = withSection(readPage(page), name, table);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});

test('docs/reference/api-versions.md tells every difference between releases', () => {
  const page = 'docs/reference/api-versions.md';
  const releases = [...new Set(VERSION_CHANGES.map(({ since }) => since))];
  const told = releases.map((release) => {
    const lines = VERSION_CHANGES.filter(({ since }) => since === release).map(({ says }) => `- ${says}`);
    return `### From ${release}\n\n${lines.join('\n')}\n`;
  });
  const quiet = RELEASES.slice(1).filter((release) => !releases.includes(release));
  const wanted = withSection(readPage(page), 'differences', `${told.join('\n')}\n${quiet.join(', ')}: nothing.\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(readPage(page)).toBe(wanted);
});
