import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ReferenceEpos } from '../epos/reference-epos.js';
import type { EposDataApi } from '../epos-data/epos-data-api.js';

interface EposState {
  readonly epos: ReturnType<ReferenceEpos['getState']>;
  readonly data: ReturnType<EposDataApi['getState']>;
}

/** Increase it when a member of the state is added, removed or changes its kind. Files of other formats are refused. */
const FORMAT_VERSION = 1;

/**
 * The stored state of one EPOS. The first line of the file has the format and the checksum of the second, which is the
 * state. When a write returns, all of it is on the disk; a process that is killed meanwhile leaves the previous state.
 */
export class EposStateFile {
  readonly #path: string;
  #lastWritten: string | null = null;

  constructor(folder: string, accountId: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = path.join(folder, `${encodeURIComponent(accountId)}.json`);
  }

  /**
   * Passes the stored state to `restore`, if there is one. Throws one sentence for a file that is damaged or of another
   * format.
   */
  readState(restore: (state: EposState) => void): void {
    if (!existsSync(this.#path)) return;
    const [head = '', body = ''] = readFileSync(this.#path, 'utf8').split('\n');
    const { version, checksum } = parseHead(head);
    if (typeof version === 'number' && version !== FORMAT_VERSION) {
      this.#throwUnusable(`is of format ${version}; this sandbox writes and reads ${FORMAT_VERSION}`);
    }
    if (version === undefined || checksum !== computeChecksum(body)) this.#throwUnusable('is damaged');
    try {
      // Only `write` creates bodies with a checksum of this format.
      restore(untagDates(JSON.parse(body)) as EposState);
    } catch (error) {
      this.#throwUnusable(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#lastWritten = body;
  }

  /** Does nothing when the state has not changed, as after a call that only read. */
  writeState(state: EposState): void {
    const body = JSON.stringify(tagDates(state));
    if (body === this.#lastWritten) return;
    const head = JSON.stringify({ version: FORMAT_VERSION, checksum: computeChecksum(body) });
    const next = `${this.#path}.next`;
    const file = openSync(next, 'w', 0o600);
    try {
      writeSync(file, `${head}\n${body}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, this.#path);
    syncFolder(path.dirname(this.#path));
    this.#lastWritten = body;
  }

  #throwUnusable(reason: string): never {
    throw new Error(`What the EPOS kept ${reason}: move ${this.#path} away to start with an empty one.`);
  }
}

function parseHead(line: string): { readonly version?: unknown; readonly checksum?: unknown } {
  try {
    const head: unknown = JSON.parse(line);
    return typeof head === 'object' && head !== null ? head : {};
  } catch {
    return {};
  }
}

function computeChecksum(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** A new name is on the disk only once its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Tags moments, to distinguish them from texts of the same form: parties have both. */
function tagDates(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(tagDates);
  return isObject(value) ? mapMembers(value, tagDates) : value;
}

function untagDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untagDates);
  if (!isObject(value)) return value;
  const { $date } = value;
  return typeof $date === 'string' ? new Date($date) : mapMembers(value, untagDates);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function mapMembers(value: Record<string, unknown>, change: (member: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}
