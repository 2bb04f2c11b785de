import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { countEntries } from '../repository/folders.js';
import { REPOSITORY } from '../repository/repository.js';
import { listOperationFiles } from './operation-files.js';
import { PUBLIC_MODULE, readTree, type SourceFile } from '../repository/source-tree.js';

/** The page that `pnpm figures` writes; with `--print` it goes to standard output. */
export const FIGURES_PAGE = 'docs/contribute/figures.md';

const HEAD = `# Figures of the source

For contributors who assess the size and the shape of the repository. At its end you know how many files, lines, public modules and public names there are, and the limits that tests keep.

\`pnpm figures\` rewrites this page. Run it before a release.
`;

const CODE = /\.(ts|tsx|js|mjs|cjs|css|html|sql|proto)$/;
const FOR_TESTS = /\.test\.tsx?$|\/testing\/|^packages\/(testing|verification|dev-database)\//;
const TEST_SUPPORT = /\/src\/testing\//;
const LARGEST = 5;

type Row = readonly (number | string)[];

/** The page of figures for these files, docs/contribute/figures.md. */
export function renderFiguresPage(tree: readonly SourceFile[]): string {
  return [
    HEAD,
    '## Lines of code\n',
    renderTable(['part', 'files', 'lines'], listLines(tree)),
    '## Public modules\n',
    'The `index.ts` of a folder names what other packages may import of it. What only their tests import is named by test support, which is not counted.\n',
    renderTable(['package', 'public modules', 'public names'], listPublicModules(tree)),
    '## Entries of folders\n',
    'Whether a folder is one noun is a question for its reviewer; a size is a reason to ask. Folders by their size:\n',
    renderTable(['entries', 'folders'], countFolderSizes(tree)),
    '## Largest folders\n',
    'These folders have the most entries.\n',
    renderTable(['folder', 'entries'], listLargestFolders(tree)),
    '## Files of an operation\n',
    'The files that one reads to follow an operation from the request to the books, which [architecture](architecture.md) lists, and how many it executes.\n',
    renderTable(['operation', 'files to read', 'files executed'], listOperations(tree)),
  ].join('\n');
}

function renderTable(head: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...lines, ''].join('\n');
}

function listLines(tree: readonly SourceFile[]): Row[] {
  const code = tree.filter(({ file }) => CODE.test(file));
  const tests = code.filter(({ file }) => FOR_TESTS.test(file));
  const tools = code.filter(({ file }) => file.startsWith('tools/') && !FOR_TESTS.test(file));
  const product = code.filter(({ file }) => /^(apps|packages|proto)\//.test(file) && !FOR_TESTS.test(file));
  return [countLines('product', product), countLines('tests and what they share', tests), countLines('tools', tools)];
}

function countLines(part: string, files: readonly SourceFile[]): Row {
  return [part, files.length, files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)];
}

function listPublicModules(tree: readonly SourceFile[]): Row[] {
  return tree.flatMap(({ file, text }) => {
    const folder = /^(packages\/[a-z-]+)\/package\.json$/.exec(file)?.[1];
    if (folder === undefined) return [];
    const { name } = JSON.parse(text) as { name: string };
    const modules = tree.filter(
      (each) =>
        each.file.startsWith(`${folder}/src/`) && PUBLIC_MODULE.test(each.file) && !TEST_SUPPORT.test(each.file),
    );
    return modules.length === 0 ? [] : [[`\`${name}\``, modules.length, countNames(modules)] as const];
  });
}

function countNames(modules: readonly SourceFile[]): number {
  const lists = modules.flatMap(({ text }) => [...text.matchAll(/\{([^}]*)\} from/g)].map(([, names = '']) => names));
  return lists.reduce((sum, names) => sum + names.split(',').filter((name) => name.trim() !== '').length, 0);
}

/** How many folders have how many entries, in groups. */
function countFolderSizes(tree: readonly SourceFile[]): Row[] {
  const sizes = [...countEntries(tree).values()];
  const limits = [6, 12, 18, 25, Infinity];
  return limits.map((limit, index) => {
    const from = (limits[index - 1] ?? 0) + 1;
    const group = limit === Infinity ? `${from} or more` : `${from} to ${limit}`;
    return [group, sizes.filter((size) => size >= from && size <= limit).length];
  });
}

function listLargestFolders(tree: readonly SourceFile[]): Row[] {
  return [...countEntries(tree)]
    .sort(([, one], [, other]) => other - one)
    .slice(0, LARGEST)
    .map(([folder, count]) => [`\`${folder}\``, count]);
}

function listOperations(tree: readonly SourceFile[]): Row[] {
  const text = tree.find(({ file }) => file === 'docs/contribute/architecture.md')?.text ?? '';
  return listOperationFiles(text).map(({ title, files }) => [title, files.length, findExecutedCount(text, title)]);
}

/** The number that `pnpm figures:executed` has written into the architecture. */
function findExecutedCount(page: string, title: string): string {
  const row = page.split('\n').find((line) => line.startsWith(`| ${title} | `));
  return row?.split(' | ')[2] ?? '';
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const figures = renderFiguresPage(readTree(REPOSITORY));
  if (process.argv.includes('--print')) process.stdout.write(figures);
  else {
    writeFileSync(path.join(REPOSITORY, FIGURES_PAGE), figures);
    process.stdout.write(`${FIGURES_PAGE} is written\n`);
  }
}
