import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { type Leak, type LeakScan, REACH } from '@pos/core/leaks';

const CHUNK_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 4096;
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES);
/** An entry of a page map: eight bytes for each page. The two highest bits are set if the page is in memory or swapped. */
const ENTRY_BYTES = 8;
const IS_KEPT = 0b1100_0000;

/**
 * Scans the memory that a running process may write: its heap, its stacks and its shared memory. Only Linux permits it,
 * and only to root or to the user of the process where the machine does not forbid it; otherwise it throws. An ended
 * process has no bytes.
 */
export function scanMemory(
  scan: LeakScan,
  { pid, isShared = true }: MemoryRequest,
): { readonly leaks: Leak[]; readonly bytes: number } {
  const leaks: Leak[] = [];
  let bytes = 0;
  const memory = openMemory(pid);
  if (memory === null) return { leaks, bytes };
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (const { from, to } of listKeptParts(pid, isShared)) {
      const chunk = buffer.subarray(0, Math.min(CHUNK_BYTES, to - from));
      for (let at = from; at < to; at += chunk.length - REACH) {
        const length = readPart(memory, chunk.subarray(0, Math.min(chunk.length, to - at)), at);
        bytes += length;
        for (const part of listUsedParts(chunk.subarray(0, length))) leaks.push(...scan.find(part));
        if (length < chunk.length) break;
      }
    }
    return { leaks, bytes };
  } finally {
    closeSync(memory);
  }
}

/** The parts that are not empty, with what a shape may reach around them. Most pages of a process were never written. */
function listUsedParts(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let begin: number | null = null;
  for (let at = 0; at <= bytes.length; at += PAGE_BYTES) {
    const end = Math.min(at + PAGE_BYTES, bytes.length);
    const isUsed = at < end && bytes.compare(EMPTY_PAGE, 0, end - at, at, end) !== 0;
    if (isUsed) begin ??= at;
    else if (begin !== null) {
      parts.push(bytes.subarray(Math.max(0, begin - REACH), at + REACH));
      begin = null;
    }
  }
  if (begin !== null) parts.push(bytes.subarray(Math.max(0, begin - REACH)));
  return parts;
}

function openMemory(pid: number): number | null {
  try {
    return openSync(`/proc/${pid}/mem`, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The process, and whether to include its shared memory: processes of one family need that scanned once. */
export interface MemoryRequest {
  readonly pid: number;
  readonly isShared?: boolean;
}

/** Whether the memory of our own processes can be read here. */
export function isMemoryReadable(pid: number): boolean {
  try {
    closeSync(openSync(`/proc/${pid}/mem`, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** A part of the memory of a process. */
interface MemoryPart {
  readonly from: number;
  readonly to: number;
  /** Whether no other process may write to it. */
  readonly isPrivate: boolean;
}

function writableParts(pid: number, isShared: boolean): MemoryPart[] {
  const line = isShared ? /^([0-9a-f]+)-([0-9a-f]+) rw.(.)/ : /^([0-9a-f]+)-([0-9a-f]+) rw.(p)/;
  return getMaps(pid)
    .split('\n')
    .flatMap((text) => {
      const [, from = '', to = '', kind] = line.exec(text) ?? [];
      return from === '' ? [] : [{ from: parseInt(from, 16), to: parseInt(to, 16), isPrivate: kind === 'p' }];
    });
}

/**
 * The memory that a process has touched. A process reserves far more: reading a gigabyte that was never written takes a
 * second. Shared memory is read whole: other processes may have written to it. Each page map is read just before its
 * part is scanned, because a running process touches further pages.
 */
function* listKeptParts(pid: number, isShared: boolean): Generator<MemoryPart> {
  for (const part of writableParts(pid, isShared)) {
    const entries = part.isPrivate ? readPageMap(pid, part) : null;
    if (entries === null) yield part;
    else yield* listKeptPages(part, entries);
  }
}

function listKeptPages(part: MemoryPart, entries: Buffer): readonly MemoryPart[] {
  const kept: MemoryPart[] = [];
  let begin: number | null = null;
  for (let page = 0; page * ENTRY_BYTES <= entries.length; page += 1) {
    // The last byte is the highest.
    const isKept = ((entries[page * ENTRY_BYTES + ENTRY_BYTES - 1] ?? 0) & IS_KEPT) !== 0;
    if (isKept) begin ??= page;
    else if (begin !== null) {
      const [from, to] = [part.from + begin * PAGE_BYTES, part.from + page * PAGE_BYTES];
      kept.push({ ...part, from, to });
      begin = null;
    }
  }
  return kept;
}

/** Null where the system has no page map, does not show it, or has pages of another size. */
function readPageMap(pid: number, { from, to }: MemoryPart): Buffer | null {
  try {
    if (!/^KernelPageSize: +4 kB$/m.test(readFileSync('/proc/self/smaps', 'utf8'))) return null;
    const file = openSync(`/proc/${pid}/pagemap`, 'r');
    try {
      const entries = Buffer.alloc(((to - from) / PAGE_BYTES) * ENTRY_BYTES);
      return readSync(file, entries, 0, entries.length, (from / PAGE_BYTES) * ENTRY_BYTES) === entries.length
        ? entries
        : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function getMaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return '';
    throw error;
  }
}

/** The readable part; reserved pages without content cannot be read. */
function readPart(memory: number, into: Buffer, at: number): number {
  try {
    return readSync(memory, into, 0, into.length, at);
  } catch (error) {
    if (['EIO', 'EFAULT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return 0;
    throw error;
  }
}
