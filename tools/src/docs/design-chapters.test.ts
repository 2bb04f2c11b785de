import { expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { readPage } from './page-blocks.js';

const DESIGN = 'docs/design';
const DECISIONS = 'docs/decisions';
const INDEX = `${DESIGN}/README.md`;
const CHAPTERS = readdirSync(path.join(REPOSITORY, DESIGN))
  .map((file) => `${DESIGN}/${file}`)
  .filter((page) => page !== INDEX);
const RECORDS = readdirSync(path.join(REPOSITORY, DECISIONS))
  .filter((file) => /^\d{4}-/.test(file))
  .map((file) => `${DECISIONS}/${file}`);

/** The pages that a page links, from the root of the repository. */
function listLinkedPages(page: string): string[] {
  const targets = [...readPage(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
  return targets.map((target) => path.posix.join(path.posix.dirname(page), target));
}

test('every record in force is linked by a chapter', () => {
  const linked = new Set(CHAPTERS.flatMap(listLinkedPages));
  const inForce = RECORDS.filter((record) => /^\*\*Status\*\* accepted/m.test(readPage(record)));
  expect(inForce.length).toBeGreaterThan(50);
  expect(inForce.filter((record) => !linked.has(record))).toEqual([]);
});

test.each([INDEX, ...CHAPTERS])('every link of %s leads to a file', (page) => {
  expect(listLinkedPages(page).filter((target) => !existsSync(path.join(REPOSITORY, target)))).toEqual([]);
});

test('the index of the design links every chapter once', () => {
  const linked = listLinkedPages(INDEX).filter((target) => target.startsWith(`${DESIGN}/`));
  expect(linked.sort()).toEqual([...CHAPTERS].sort());
});

test.each(CHAPTERS)('each rule of %s has its reason, its falsifier and its records, in this order', (page) => {
  const rules = readPage(page).split(/^## /m).slice(1);
  expect(rules.length).toBeGreaterThan(3);
  const isComplete = (rule: string): boolean => {
    const [title = '', text = '', ...rest] = rule.trim().split('\n\n');
    const [reason = '', falsifier = '', records = ''] = rest.slice(-3);
    return (
      /^.{10,100}$/.test(title) &&
      /^\S.{30}/.test(text) &&
      /^\*Reason:\* ./.test(reason) &&
      /^\*Sign that it is wrong:\* ./.test(falsifier) &&
      /^Records: \[.+\)$/.test(records)
    );
  };
  expect(rules.filter((rule) => !isComplete(rule))).toEqual([]);
});

const SOURCE = /`((?:apps|packages|proto|sdks|tools)\/[\w./-]+)`/g;

test.each(CHAPTERS)('every folder and file of the source that %s names exists', (page) => {
  const named = [...readPage(page).matchAll(SOURCE)].map((match) => match[1] ?? '');
  expect(named.filter((target) => !existsSync(path.join(REPOSITORY, target)))).toEqual([]);
});

/** What a reader reads in ten minutes. */
const CHAPTER_WORDS_MAX = 2500;

test('a chapter is read in ten minutes', () => {
  const lengths = CHAPTERS.map((page) => ({ page, words: readPage(page).split(/\s+/).length }));
  expect(lengths.filter(({ words }) => words > CHAPTER_WORDS_MAX)).toEqual([]);
});
