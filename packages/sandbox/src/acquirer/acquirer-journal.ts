import { closeSync, mkdirSync, openSync, readFileSync, writeSync, existsSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AcquirerJournal } from './acquirer-books.js';

/**
 * The acquirer's books as an append-only file of JSON lines. Each line is handed to the operating system before the
 * caller is answered, so a killed sandbox loses no booking that it has answered. An incomplete last line was never
 * answered and is cut off.
 */
export function openFileJournal(path: string): AcquirerJournal {
  mkdirSync(dirname(path), { recursive: true });
  const lines = readWholeLines(path);
  const file = openSync(path, 'a', 0o600);
  return {
    readLines: () => lines,
    appendLine: (line) => {
      writeSync(file, `${line}\n`);
    },
  };
}

function readWholeLines(path: string): string[] {
  if (!existsSync(path)) {
    closeSync(openSync(path, 'a', 0o600));
    return [];
  }
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
