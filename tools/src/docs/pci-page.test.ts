import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { readPage } from './page-blocks.js';

const PAGE = 'docs/operate/pci.md';
const VERDICTS = ['met', 'partly met', 'not met yet', 'operator', 'integrator', 'platform'];
/** The verdicts that say something about the software, so a test proves it. */
const PROVED_VERDICTS = ['met', 'partly met'];
const INCOMPLETE_VERDICTS = ['partly met', 'not met yet'];

const page = readPage(PAGE);

interface RequirementRow {
  readonly number: string;
  readonly verdict: string;
  readonly answer: string;
  readonly tests: string;
}

/** Every line of a table that begins with a number. */
const rows: readonly RequirementRow[] = [...page.matchAll(/^\| *(A?\d[\w.]*) *\|(.*)\|$/gm)].map(
  ([, number = '', rest = '']) => {
    const [, verdict = '', answer = '', tests = '', ...more] = rest.split('|').map((cell) => cell.trim());
    expect({ number, more }).toEqual({ number, more: [] });
    return { number, verdict, answer, tests };
  },
);

/** The texts in backticks. */
function listCodes(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Appendix A follows the twelve requirements. */
function toParts(number: string): number[] {
  return number.replace(/^A/, '13.').split('.').map(Number);
}

function isBefore(first: string, second: string): boolean {
  const [left, right] = [toParts(first), toParts(second)];
  const at = right.findIndex((part, index) => part !== left[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

test('every requirement appears once, in the order of the standard', () => {
  expect(rows.length).toBeGreaterThan(90);
  const numbers = rows.map(({ number }) => number);
  expect(numbers.filter((number) => !/^(\d{1,2}|A1)(\.\d{1,2}){2,3}$/.test(number))).toEqual([]);
  const [, ...others] = numbers;
  expect(others.filter((number, index) => !isBefore(numbers[index] ?? '', number))).toEqual([]);
});

test('each row has one of the verdicts that the page explains', () => {
  expect(rows.filter(({ verdict }) => !VERDICTS.includes(verdict)).map(({ number }) => number)).toEqual([]);
  expect(VERDICTS.filter((verdict) => !page.includes(`\n| ${verdict} | `))).toEqual([]);
});

test('a row says what is missing exactly where something is', () => {
  const wrong = rows.filter(
    ({ verdict, answer }) => answer.includes('Missing: ') !== INCOMPLETE_VERDICTS.includes(verdict),
  );
  expect(wrong.map(({ number }) => number)).toEqual([]);
});

test('every claim about the software names test files that exist', () => {
  const isTest = (file: string): boolean => file.endsWith('.test.ts') && existsSync(path.join(REPOSITORY, file));
  expect(rows.flatMap(({ tests }) => listCodes(tests)).filter((file) => !isTest(file))).toEqual([]);
  const unproved = rows.filter(({ verdict, tests }) => PROVED_VERDICTS.includes(verdict) && listCodes(tests).length === 0);
  expect(unproved.map(({ number }) => number)).toEqual([]);
});

test('every file and folder that the page names exists', () => {
  const named = listCodes(page).filter((code) => /^[\w.@-]+(\/[\w.@-]+)+$|^[\w-]+\.(yaml|json|md|ts)$/.test(code));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
});

test('every setting that the page names exists', () => {
  const settings = new Set(listCodes(readPage('docs/reference/configuration.md')));
  const named = listCodes(page).filter((code) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(code));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !settings.has(name))).toEqual([]);
});
