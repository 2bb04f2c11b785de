import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Docker, isComposeRunning, isDockerRunning } from './docker.js';

const PATH = process.env['PATH'] ?? '';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docker-test-'));
  process.env['PATH'] = `${folder}:${PATH}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true });
});

/** Installs a program `docker` that writes its words to a file, after these lines of a shell. */
function installDocker(lines: string): void {
  const program = path.join(folder, 'docker');
  writeFileSync(program, `#!/bin/sh\necho "$@" >> '${folder}/words'\n${lines}\n`);
  chmodSync(program, 0o755);
}

test.each([
  ['whose daemon answers', '', true, true],
  ['without a daemon', 'exit 1', false, false],
  ['without Compose', '[ "$1" = info ]', true, false],
])('Docker %s is used: %s %s %s', (_, lines, isRunning, hasCompose) => {
  installDocker(lines);
  expect([isDockerRunning(), isComposeRunning()]).toEqual([isRunning, hasCompose]);
});

test('an image is built by the Dockerfile, and its container can write only to /tmp', async () => {
  installDocker('[ "$1" != run ] || echo started');
  const docker = new Docker();
  docker.build({ app: 'api', target: 'service', tag: 'api', args: { RELEASE: '1' } });
  const running = docker.start('api', { env: { LEVEL: 'info' }, words: ['--help'] });
  expect(await running.untilEnd()).toBe(0);
  expect(running.output).toBe('started\n');
  docker.remove();
  const [build, run, ...others] = readFileSync(path.join(folder, 'words'), 'utf8').trim().split('\n');
  expect(build?.replace(/ --secret \S+/, '')).toBe(
    'build --target service --tag api --build-arg APP=api --build-arg RELEASE=1 --file deploy/docker/Dockerfile .',
  );
  expect(run).toBe(
    `run --rm --name pos-test-${process.pid}-1 --network host --read-only --tmpfs /tmp --env LEVEL=info api --help`,
  );
  expect(others).toEqual(['image rm api']);
});

test('what Docker refuses is an error with its words', () => {
  installDocker('echo "no space left" >&2; exit 1');
  const docker = new Docker();
  expect(() => docker.describe('api')).toThrow(/docker image inspect .* ended with 1: no space left/);
  docker.remove();
});
