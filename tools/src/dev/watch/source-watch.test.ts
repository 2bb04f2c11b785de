import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { watchSources } from './source-watch.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-watch-'));
  mkdirSync(path.join(folder, 'gen'));
  writeFileSync(path.join(folder, 'bill.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

test('a file that is replaced by renaming is detected each time, and later writes to it, too', async () => {
  const over = new AbortController();
  let changes = 0;
  const watching = watchSources(
    () => {
      changes += 1;
      return Promise.resolve();
    },
    { folders: [folder], lookMs: 20, signal: over.signal },
  );
  const file = path.join(folder, 'bill.ts');
  for (const text of ['two', 'three!']) {
    const before = changes;
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    await until(() => changes > before);
  }
  const before = changes;
  appendFileSync(file, 'more');
  await until(() => changes > before);
  over.abort();
  await watching;
  expect(changes).toBe(3);
});

test.each([
  ['a file that a build writes', 'gen/bill.ts'],
  ['a file that is not a source', 'notes.md'],
])('%s is not watched', async (_, name) => {
  const over = new AbortController();
  const changed: string[] = [];
  const watching = watchSources((files) => Promise.resolve(void changed.push(...files)), {
    folders: [folder],
    lookMs: 20,
    signal: over.signal,
  });
  writeFileSync(path.join(folder, name), 'x');
  await pause(200);
  writeFileSync(path.join(folder, 'new.ts'), 'a source');
  await until(() => changed.length > 0);
  over.abort();
  await watching;
  expect(changed).toEqual([path.join(folder, 'new.ts')]);
});
