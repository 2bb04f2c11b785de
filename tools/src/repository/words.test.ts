import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

/** Words that the glossary has replaced, each with its term. Add a word once its last use is gone. */
const REPLACED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/(\b|[a-z])[Ww]ish(es|ed)?\b/, 'request'],
  [/(\b|[a-z])[Ee]rrands?\b/, 'task, call'],
  [/(\b|[a-z])[Dd]esks?\b/, 'service'],
  [/(\b|[a-z])Doors?\b/, 'server, client, driver'],
  [/(\b|[a-z])[Nn]oughts?\b/, 'zero'],
  [/(\b|[a-z])Stor(y|ies)\b|\bstor(y|ies)\b/, 'scenario'],
  [/\bmend(s|ed|ing)?\b/, 'fix'],
  [/\baskTogether\b/, 'pipeline'],
  [/\bHeardTime\b/, 'DatabaseClock'],
  [/\b[Ww]hoever\b/, 'the actor'],
  [/\b[Aa]new\b/, 'again'],
  [/\bbelieve(s|d)?\b/, 'trust, check'],
  [/\b(dies|died)\b/, 'stops, crashes'],
  [/\b[Dd]oors?\b/, 'server, client, port'],
  [/\b(hears|heard by|heard of)\b/, 'receives'],
  [/\b(judges|judged by|judging)\b/, 'checks, decides'],
  [/\b(he|him)\b/, 'they (people), it (apps)'],
  [/\b[Gg]oes on\b(?! being)/, 'continues'],
  [/\b(comes|came) back\b/, 'returns, reconnects'],
  [/\bmeetsAt\b/, 'verb + object'],
];

/** The contract is fixed: published names stay until a release changes them. */
const PUBLISHED = ['proto/', 'packages/rest-contracts/openapi/', 'packages/rest-contracts/src/'];
const THIS_FILE = 'tools/src/repository/words.test.ts';
const TEXT = /\.(ts|tsx|js|mjs|cjs|md|proto|sql)$/;

const files = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  .split('\n')
  .filter(
    (file) => TEXT.test(file) && file !== THIS_FILE && !PUBLISHED.some((published) => file.startsWith(published)),
  );

function findWord(word: RegExp): string[] {
  return files.flatMap((file) => {
    const lines = readFileSync(path.join(REPOSITORY, file), 'utf8').split('\n');
    const found = lines.flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
    return word.test(path.basename(file)) ? [file, ...found] : found;
  });
}

test.each(REPLACED_WORDS)('nothing says %s, for which the term is: %s', (word) => {
  expect(findWord(word)).toEqual([]);
});
