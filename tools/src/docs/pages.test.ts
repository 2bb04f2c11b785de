import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MOVES } from '@pos/core/payment-intent';
import { SETUP_MOVES } from '@pos/core/setup-intent';
import { TABLE_PAYMENT_MOVES } from '@pos/core/table-payment';
import { VERSION_CHANGES } from '@pos/rest-contracts/version-changes';
import { RELEASES } from '@pos/rest-contracts/versions';
import { forgetWorld, ownSettings, readyWorld, Terminal } from '../dev/testing.js';
import { REPOSITORY } from '../repository.js';
import { movesTable } from './moves.js';
import { commandBlocks, fileLinks, shapeOf, withSection } from './page-blocks.js';

const MINUTES = 60_000;
const PAGES = [
  'README.md',
  ...readdirSync(path.join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'docs/decisions/README.md',
];
/** Proven by tests of their own; here they would wait for ever, run themselves, or measure for minutes. */
const PROVEN_ELSEWHERE = ['npm start', 'npm run demo', 'npm test', 'pnpm bench --write'];
const SCRIPT_MS_MAX = 60_000;
/** Between the outputs of two blocks. */
const MARK = '=== end of block ===';

const read = (page: string): string => readFileSync(path.join(REPOSITORY, page), 'utf8');
const blocksOf = (page: string) =>
  commandBlocks(page, read(page)).filter(({ commands }) => !PROVEN_ELSEWHERE.includes(commands.trim()));

describe('commands of the pages', () => {
  let settings: Record<string, string> & { DATA_DIR: string };
  let world: Terminal;

  beforeAll(async () => {
    settings = { ...(await ownSettings()), SIMULATOR_TIME_SCALE: '5' };
    world = new Terminal('dev/start.js', settings);
    await readyWorld(world, settings.DATA_DIR);
  }, 3 * MINUTES);

  afterAll(async () => {
    await world.end('SIGINT');
    await forgetWorld(settings.DATA_DIR);
  }, 2 * MINUTES);

  test.each(PAGES.filter((page) => blocksOf(page).length > 0))(
    'the commands of %s work as written, say what it shows, and can be run again',
    async (page) => {
      const blocks = blocksOf(page);
      const script = blocks.map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
      const shown = blocks.map(({ line, output }) => `${page}:${line} ${shapeOf(output ?? '')}`);
      for (const time of ['the first time', 'the second time']) {
        const said = await bash(script.replaceAll('./.data/', `${settings.DATA_DIR}/`), settings);
        const outputs = said.split(MARK).slice(0, -1);
        const told = outputs.map((output, index) => `${page}:${blocks[index]?.line} ${shapeOf(output)}`);
        expect([time, ...told]).toEqual([time, ...shown]);
      }
    },
    3 * MINUTES,
  );
});

test.each(PAGES)('the links of %s lead to files', (page) => {
  const folder = path.join(REPOSITORY, path.dirname(page));
  expect(fileLinks(read(page)).filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
});

test.each(['README.md', 'docs/architecture.md', 'docs/security.md'])('the files that %s names are there', (page) => {
  const named = [...read(page).matchAll(/`((?:packages|apps|tools|docs|proto)\/[^`]*)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
});

test('the index of decisions lists each of them by its title', () => {
  const page = 'docs/decisions/README.md';
  const files = readdirSync(path.join(REPOSITORY, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const titles = files.sort().map((file) => {
    const [, title = ''] = /^# (.*)$/m.exec(read(`docs/decisions/${file}`)) ?? [];
    expect(title.slice(0, 4)).toBe(file.slice(0, 4));
    return `- [${title}](${file})`;
  });
  const wanted = withSection(read(page), 'decisions', `${titles.join('\n')}\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(read(page)).toBe(wanted);
});

test.each([
  ['moves of an intent', movesTable(MOVES)],
  ['moves of a setup intent', movesTable(SETUP_MOVES)],
  ['moves of a payment at the table', movesTable(TABLE_PAYMENT_MOVES)],
])('docs/life-of-a-payment.md shows the %s as the code has them', (name, table) => {
  const page = 'docs/life-of-a-payment.md';
  const wanted = withSection(read(page), name, table);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(read(page)).toBe(wanted);
});

test('docs/versions.md tells every difference between releases', () => {
  const page = 'docs/versions.md';
  const releases = [...new Set(VERSION_CHANGES.map(({ since }) => since))];
  const told = releases.map((release) => {
    const lines = VERSION_CHANGES.filter(({ since }) => since === release).map(({ says }) => `- ${says}`);
    return `### From ${release}\n\n${lines.join('\n')}\n`;
  });
  const quiet = RELEASES.slice(1).filter((release) => !releases.includes(release));
  const wanted = withSection(read(page), 'differences', `${told.join('\n')}\n${quiet.join(', ')}: nothing.\n`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, page), wanted);
  expect(read(page)).toBe(wanted);
});

function bash(script: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-s'], {
    cwd: REPOSITORY,
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
    // A group of its own: when the time is over, what the script started goes with it.
    detached: true,
  });
  const timer = setTimeout(() => {
    endGroup(child.pid ?? 0);
  }, SCRIPT_MS_MAX);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      endGroup(child.pid ?? 0);
      if (code === 0) resolve(said);
      else reject(new Error(`bash ended with ${code}: ${said}`));
    });
  });
}

/** Ends what a script has left running behind it. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
