import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';

// In a fresh clone `npm start` transpiles packages and builds pages, and a build of pages may import a package.

const APPS = path.join(REPOSITORY, 'apps');
const IMPORTING = readdirSync(APPS).filter((app) => {
  const config = readdirSync(path.join(APPS, app)).find((file) => file.startsWith('vite.config.'));
  return config !== undefined && readFileSync(path.join(APPS, app, config), 'utf8').includes("from '@pos/");
});

/** The tasks that a task of the app waits for. */
function listAwaitedTasks(app: string): readonly string[] {
  const text = readFileSync(path.join(APPS, app, 'turbo.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  const { tasks } = JSON.parse(text) as {
    readonly tasks: Readonly<Record<string, { readonly dependsOn?: readonly string[] }>>;
  };
  return tasks['transpile']?.dependsOn ?? [];
}

test('a build of pages that imports a package waits for the packages to be transpiled', () => {
  expect(IMPORTING.length).toBeGreaterThan(2);
  expect(IMPORTING.filter((app) => !listAwaitedTasks(app).includes('@pos/tools#transpile'))).toEqual([]);
});
