import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from './repository.js';

interface Task {
  readonly taskId: string;
  readonly command: string;
  readonly inputs: Readonly<Record<string, string>>;
}

const tasks = plannedTasks();
const isTest = (file: string): boolean => file.endsWith('.test.ts');

// Packages depend on each other's builds. If a test were part of a build, a change of it would run the tests of all
// dependants.
test('a changed test rebuilds nothing', () => {
  const builds = tasks.filter(({ taskId }) => /#(build|generate|declarations)$/.test(taskId));
  expect(builds.length).toBeGreaterThan(20);
  expect(builds.filter(({ inputs }) => Object.keys(inputs).some(isTest)).map(({ taskId }) => taskId)).toEqual([]);
});

test('the types of tests are checked, by the linter', () => {
  const checks = new Set(tasks.filter(({ inputs }) => Object.keys(inputs).some(isTest)).map(({ taskId }) => taskId));
  expect(checks).toContain('@pos/core#lint');
  expect(checks).toContain('@pos/tools#lint');
});

test('exactly the packages with long or wide tests have the task of the long run', () => {
  const getPackage = (taskId: string): string => taskId.replace(/#.*/, '');
  const isLong = (file: string): boolean => /\.(long|wide)\.test\.ts$/.test(file);
  const withLong = tasks.filter(({ taskId, inputs }) => taskId.endsWith('#test') && Object.keys(inputs).some(isLong));
  const run = tasks.filter(({ taskId }) => taskId.endsWith('#test:long'));
  expect(withLong.length).toBeGreaterThan(10);
  expect(run.map(({ taskId }) => getPackage(taskId)).toSorted()).toEqual(
    withLong.map(({ taskId }) => getPackage(taskId)).toSorted(),
  );
});

function plannedTasks(): Task[] {
  const words = ['run', 'build', 'declarations', 'lint', 'test', 'test:long', '--dry=json'];
  // The variables of the outer turbo must not reach the inner one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TURBO_')));
  const turbo = path.join(REPOSITORY, 'node_modules/.bin/turbo');
  const { stdout } = spawnSync(turbo, words, { cwd: REPOSITORY, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
  const { tasks } = JSON.parse(stdout) as { tasks: Task[] };
  return tasks.filter(({ command }) => command !== '<NONEXISTENT>');
}
