import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IMAGE_APPS } from '../images/runtime-folder.js';
import { MANIFEST } from '../repository/repository-copy.js';
import { REPOSITORY } from '../repository/repository.js';
import { readPage } from './page-blocks.js';

const PAGE = 'docs/operate/deploy-to-production.md';
const UNITS = 'deploy/systemd';
const UNIT = `${UNITS}/pos@.service`;
/** No test runs them as written: they need Docker, a cluster, or systemd. What they name is checked instead. */
const COMMANDS = [...readPage(PAGE).matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])),
);
const dockerfile = readFileSync(path.join(REPOSITORY, 'deploy/docker/Dockerfile'), 'utf8');

test('the page shows the commands that the tests check', () => {
  const programs = COMMANDS.map((command) => command.split(' ')[0]);
  expect(programs).toEqual(['docker', 'docker', 'docker', 'helm', 'pnpm', 'cp', 'install', 'systemctl', 'systemctl']);
});

test.each(COMMANDS)('what `%s` names exists', (command) => {
  const words = command.split(' ');
  const files = words.filter((word) => /^deploy\//.test(word));
  expect(files.filter((file) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
  const [program, script] = words;
  if (program === 'pnpm') {
    expect(Object.keys(MANIFEST.scripts)).toContain(script);
    expect(IMAGE_APPS).toContain(words[2]);
  }
  if (program === 'systemctl') {
    const units = words.slice(2).map((unit) => (unit.includes('.') ? unit : `${unit}.service`));
    expect(units.filter((unit) => !existsSync(path.join(REPOSITORY, UNITS, toTemplate(unit))))).toEqual([]);
    for (const [, app] of words.join(' ').matchAll(/pos@([\w-]+)/g)) expect(IMAGE_APPS).toContain(app);
  }
  if (program !== 'docker' || script !== 'build') return;
  const args = words.flatMap((word, index) => (words[index - 1] === '--build-arg' ? [word.split('=')] : []));
  for (const [name = ''] of args) expect(dockerfile).toMatch(new RegExp(`^ARG ${name}(=|$)`, 'm'));
  const { APP, RELEASE } = Object.fromEntries(args) as Readonly<Record<string, string>>;
  expect(RELEASE).toBe(MANIFEST.version);
  expect(words).toContain(`pos/${APP ?? ''}:${RELEASE ?? ''}`);
  const target = words[words.indexOf('--target') + 1];
  if (words.includes('--target')) expect(dockerfile).toMatch(new RegExp(`^FROM .* AS ${target ?? ''}$`, 'm'));
});

/** The file of a unit: instances of a template, such as `pos@api.service`, share one. */
function toTemplate(unit: string): string {
  return unit.replace(/@[^.]+/, '@');
}

/** A container has the settings and the network of the service, so Compose calls the command there. */
const IN_CONTAINERS = 'run-with-compose.md';
const FOLDER = path.join(REPOSITORY, 'docs/operate');
const PAGES = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(path.join(FOLDER, name), 'utf8') }));

const ALL_PAGES = ['operate', 'integrate', 'epos', 'contribute'].flatMap((folder) =>
  readdirSync(path.join(REPOSITORY, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(path.join(REPOSITORY, 'docs', folder, name), 'utf8') })),
);

test('pos-admin is called in one way on all pages, which is defined or linked', () => {
  const definitions = PAGES.filter(({ name }) => name !== IN_CONTAINERS).flatMap(({ text }) =>
    text.split('\n').filter((line) => /^ *pos-admin\(\)|apps\/admin\/(bundle|dist)\//.test(line)),
  );
  expect(definitions.length).toBeGreaterThan(2);
  expect(new Set(definitions)).toEqual(new Set(['pos-admin() { node apps/admin/dist/main.js "$@"; }']));
  const users = PAGES.filter(({ name, text }) => name !== 'first-account.md' && /`pos-admin|^pos-admin /m.test(text));
  expect(users.length).toBeGreaterThan(8);
  const unlinked = users.filter(({ text }) => !text.includes('](first-account.md#call-pos-admin)'));
  expect(unlinked.map(({ name }) => name)).toEqual([]);
});

/** `npm start` compiles modules only: bundles are there after `turbo run build`, or are those of an older commit. */
test('a command of a page runs a bundle only where the page says to build first', () => {
  const blocks = ALL_PAGES.flatMap(({ name, text }) =>
    [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, commands = '']) => ({ name, text, commands })),
  );
  expect(blocks.length).toBeGreaterThan(50);
  const bundles = blocks.filter(({ commands }) => /\/bundle\//.test(commands));
  expect(bundles.filter(({ text }) => !text.includes('`npx pnpm turbo run build`')).map(({ name }) => name)).toEqual([]);
});

test('the unit of systemd runs what a runtime folder has, and waits for the drain', () => {
  const unit = readFileSync(path.join(REPOSITORY, UNIT), 'utf8');
  expect(unit).toMatch(/^WorkingDirectory=\/opt\/pos\/%i$/m);
  expect(unit).toMatch(/^ExecStart=\S+\/node dist\/main\.js$/m);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
});

const analyzer = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;
if (analyzer) {
  test('systemd finds nothing wrong with the unit', () => {
    const file = path.join(REPOSITORY, UNIT);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('pos@'))).toEqual([]);
  });
} else {
  test('NOT RUN: the unit of systemd: systemd-analyze is not installed', () => expect(analyzer).toBe(false));
}
