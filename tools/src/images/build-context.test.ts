import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../repository/repository.js';

/** The patterns of a list, in one notation: Git writes a name at any depth as `dist/`, Docker with two asterisks before it. */
function readPatterns(ignoreFile: string): string[] {
  const lines = readFileSync(path.join(REPOSITORY, ignoreFile), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/\/$/, '').replace(/^\*\*\//, ''));
}

describe('the build of an image', () => {
  it('reads every file that the repository contains', () => {
    const notInRepository = new Set([...readPatterns('.gitignore'), '.git']);
    expect(readPatterns('.dockerignore').filter((pattern) => !notInRepository.has(pattern))).toEqual([]);
  });
});
