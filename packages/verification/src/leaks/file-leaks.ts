import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { isNativeError } from 'node:util/types';
import { type Leak, type LeakScan, REACH } from '@pos/core/leaks';

/** A leak and its file. */
export interface FileLeak extends Leak {
  readonly file: string;
}

const CHUNK_BYTES = 16 * 1024 * 1024;
/** No leak that begins before the end of a part is cut by it. */
const OVERLAP_BYTES = 2 * REACH;
const PAGE_BYTES = 8192;
const PAGE_HEAD_BYTES = 24;
const SEGMENT_HEAD_BYTES = 40;

/** The leaks in the files of a folder and its subfolders. Files that are deleted meanwhile are skipped. */
export function scanFolder(scan: LeakScan, folder: string): FileLeak[] {
  const buffer = createPartBuffer();
  return listFiles(folder).flatMap((file) => scanFile(scan, file, buffer));
}

/** The leaks in one file, also where two of its parts meet. */
export function scanFile(scan: LeakScan, file: string, buffer = createPartBuffer()): FileLeak[] {
  const found = new Map<string, FileLeak>();
  for (const { bytes, from } of readParts(file, buffer)) {
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

/** Allocates room for a part and the end of the part before it. Files share it: allocating takes as long as a scan. */
export function createPartBuffer(): Buffer {
  return Buffer.alloc(OVERLAP_BYTES + CHUNK_BYTES);
}

/** The bytes of a part are valid until the next part is read. */
function* readParts(file: string, buffer: Buffer): Generator<{ readonly bytes: Uint8Array; readonly from: number }> {
  const isLog = /[/\\]pg_wal[/\\][0-9A-F]{24}$/.test(file);
  const handle = openIfExists(file);
  if (handle === null) return;
  try {
    let carried = 0;
    for (let from = 0; ; from += CHUNK_BYTES) {
      const read = readSync(handle, buffer, carried, CHUNK_BYTES, from);
      if (read === 0) return;
      const length = isLog ? removePageHeaders(buffer.subarray(carried, carried + read), from) : read;
      const bytes = buffer.subarray(0, carried + length);
      yield { bytes, from: from - carried };
      carried = Math.min(bytes.length, OVERLAP_BYTES);
      bytes.copyWithin(0, bytes.length - carried);
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * In the write-ahead log, a page begins in the middle of data that does not fit on the one before. Moves the contents
 * of the pages together and returns their length.
 */
function removePageHeaders(bytes: Buffer, from: number): number {
  let length = 0;
  for (let page = 0; page < bytes.length; page += PAGE_BYTES) {
    const start = Math.min(bytes.length, page + (from + page === 0 ? SEGMENT_HEAD_BYTES : PAGE_HEAD_BYTES));
    const end = Math.min(bytes.length, page + PAGE_BYTES);
    bytes.copyWithin(length, start, end);
    length += end - start;
  }
  return length;
}

function openIfExists(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
