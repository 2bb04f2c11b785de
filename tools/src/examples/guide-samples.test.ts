import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { listPlayedBlocks, PAGES, PAGES_PROVEN_ELSEWHERE, readPage } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';
import { EMBEDDING_PAGE, listEmbeddingFiles } from '../checkout/embedding-files.js';
import { listPrograms } from '../sdk/page-programs.js';

// Every sample of a guide is executed: commands by the test of the pages, programs by the test of the SDK's package.
// This test fails for a sample that neither of them sees.

/** The guides that the reference shows and that contain samples for integrators. */
const GUIDES = PAGES.filter((page) => page.startsWith('docs/integrate/'));

/** The page whose programs the test of the SDK's package compiles and runs. */
const SDK_PAGE = 'docs/integrate/typescript-sdk.md';

/** Commands that a guide shows as text, because they run until they are stopped or change a production service. */
const SHOWN_AS_TEXT: readonly (readonly [begin: string, test: string, words: string])[] = [
  ['pos listen --forward-to', 'tools/src/cli/command-line-scenarios.ts', '--forward-to'],
  ['pos trigger payment', 'tools/src/cli/command-line-scenarios.ts', 'trigger payment'],
  ['pos-admin settings set branding.', 'apps/admin/src/audit.wide.test.ts', "'settings set'"],
  ['pos-admin settings set embeddingOrigins.', 'apps/admin/src/audit.wide.test.ts', "'settings set'"],
];

/** What a command or a program begins with. */
const COMMAND = /^(?:\$ )?(?:pos|pos-admin|curl|npm|npx|pnpm|node|git|export|docker|import|const|await)\b(?!.*\.{3}$)/;

interface Fence {
  readonly language: string;
  readonly text: string;
}

function listFences(page: string): Fence[] {
  return [...readPage(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    ...{ language, text },
  }));
}

/** The blocks of a page that no test executes. */
function listUntested(page: string): string[] {
  const played = PAGES_PROVEN_ELSEWHERE.includes(page) ? [] : listPlayedBlocks(page);
  const executed = new Set([
    ...played.flatMap(({ commands, output }) => [commands, output]),
    ...(page === EMBEDDING_PAGE ? listEmbeddingFiles().map(({ block }) => block) : []),
    ...(page === SDK_PAGE
      ? listPrograms(page).flatMap(({ name, text, output }) => [`// ${name}.ts\n${text}`, output])
      : []),
  ]);
  return listFences(page)
    .filter(({ text }) => !executed.has(text))
    .filter(({ language, text }) => language !== 'mermaid' && (language !== 'text' || COMMAND.test(text)))
    .filter(({ text }) => !SHOWN_AS_TEXT.some(([begin]) => text.startsWith(begin)))
    .map(({ language, text }) => `${page}: ${language}: ${text.split('\n', 1)[0] ?? ''}`);
}

test.each(GUIDES)('a test executes every sample of %s', (page) => {
  expect(listUntested(page)).toEqual([]);
});

test('the guides have samples in two languages, so that an empty list of blocks is no success', () => {
  const fences = GUIDES.flatMap(listFences);
  const count = (language: string) => fences.filter((fence) => fence.language === language).length;
  expect(count('sh')).toBeGreaterThan(20);
  expect(count('ts')).toBeGreaterThan(4);
});

test.each(SHOWN_AS_TEXT)('%s is shown in a guide, and executed by %s', (begin, file, words) => {
  expect(GUIDES.some((page) => listFences(page).some(({ text }) => text.startsWith(begin)))).toBe(true);
  expect(existsSync(path.join(REPOSITORY, file))).toBe(true);
  expect(readFileSync(path.join(REPOSITORY, file), 'utf8')).toContain(words);
});
