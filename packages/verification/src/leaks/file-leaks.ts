import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { isNativeError } from 'node:util/types';
import { type Leak, type LeakScan, REACH } from '@pos/core/leaks/leak-scan';

/** A leak and its file. */
export interface FileLeak extends Leak {
  readonly file: string;
}

const CHUNK_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 8192;
const PAGE_HEAD_BYTES = 24;
const SEGMENT_HEAD_BYTES = 40;

/** The leaks in the files of a folder and its subfolders. Files that are deleted meanwhile are skipped. */
export function scanFolder(scan: LeakScan, folder: string): FileLeak[] {
  return listFiles(folder).flatMap((file) => scanFile(scan, file));
}

/** The leaks in one file, also where two of its parts meet. */
export function scanFile(scan: LeakScan, file: string): FileLeak[] {
  const found = new Map<string, FileLeak>();
  for (const { bytes, from } of readParts(file)) {
    for (const leak of scan.find(bytes)) {
      const at = leak.at + from;
      // Parts overlap, so that nothing is cut.
      found.set(`${leak.kind} ${leak.form} ${at}`, { ...leak, at, file });
    }
  }
  return [...found.values()];
}

/** One line for a leak. */
export function formatLeak({ file, kind, form, at, excerpt }: FileLeak): string {
  return `${kind} (${form}) in ${file} at ${at}: ${excerpt}`;
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function* readParts(file: string): Generator<{ readonly bytes: Uint8Array; readonly from: number }> {
  const isLog = /[/\\]pg_wal[/\\][0-9A-F]{24}$/.test(file);
  const handle = openIfExists(file);
  if (handle === null) return;
  try {
    let carried = Buffer.alloc(0);
    for (let from = 0; ; from += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, fstatSync(handle).size - from)));
      const length = readSync(handle, chunk, 0, chunk.length, from);
      if (length === 0) return;
      const read = isLog ? removePageHeaders(chunk.subarray(0, length), from) : chunk.subarray(0, length);
      const bytes = Buffer.concat([carried, read]);
      yield { bytes, from: from - carried.length };
      carried = bytes.subarray(-2 * REACH);
    }
  } finally {
    closeSync(handle);
  }
}

/** In the write-ahead log, a page begins in the middle of data that does not fit on the one before. */
function removePageHeaders(bytes: Buffer, from: number): Buffer {
  const pages = Math.ceil(bytes.length / PAGE_BYTES);
  const parts = Array.from({ length: pages }, (_, page) => {
    const head = from === 0 && page === 0 ? SEGMENT_HEAD_BYTES : PAGE_HEAD_BYTES;
    return bytes.subarray(page * PAGE_BYTES + head, (page + 1) * PAGE_BYTES);
  });
  return Buffer.concat(parts);
}

function openIfExists(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
