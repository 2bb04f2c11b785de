import { WrongSetting } from '@pos/core/refusals';
import type { DataSource, EntityManager } from 'typeorm';
import { computeCheckValue, type KeyPurpose } from '../crypto/key-ids.js';
import { isUniqueViolation } from '@pos/postgres/statements';
import type { StoreSecrets } from '../database/transaction.js';

type KeyState = 'Next' | 'Current' | 'Previous' | 'Retired';

interface StoredCheck {
  readonly hash: Buffer;
  readonly state: KeyState;
}

/** A key that a process writes with, and one that it accepts beside it. */
interface ConfiguredKeys {
  readonly purpose: KeyPurpose;
  readonly primary: Buffer;
  readonly accepted: Buffer | null;
}

/** The changes that a start makes to the checks, in this order. */
type CheckChange = { readonly hash: Buffer; readonly state: KeyState };

/**
 * Fails with WrongSetting for a KEY_PEPPER or ENCRYPTION_KEY with which the database was not used: every API key
 * would be unknown, the repetition of a refund another refund, and no stored secret readable. The first process to
 * open the database decides. From then on a key is replaced in steps, none of which a process can leave out (ADR
 * 0058).
 */
export async function requireKnownKeys(
  source: DataSource,
  { secrets, waitMs }: { readonly secrets: StoreSecrets; readonly waitMs: number },
): Promise<void> {
  const { pepper, acceptedPepper = null, encryptionKey, acceptedEncryptionKey = null } = secrets;
  await requireKey(source, toConfiguredKeys('KEY_PEPPER', pepper, acceptedPepper), waitMs);
  await requireKey(source, toConfiguredKeys('ENCRYPTION_KEY', encryptionKey, acceptedEncryptionKey), waitMs);
}

function toConfiguredKeys(
  purpose: KeyPurpose,
  primary: string | Uint8Array,
  accepted: string | Uint8Array | null,
): ConfiguredKeys {
  return {
    purpose,
    primary: computeCheckValue(purpose, primary),
    accepted: accepted === null ? null : computeCheckValue(purpose, accepted),
  };
}

async function requireKey(source: DataSource, configured: ConfiguredKeys, waitMs: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await readStoredChecks(source.manager, configured.purpose);
    if (stored.length > 0 && planChanges(configured, stored).length === 0) return;
    try {
      await source.transaction((manager) => storeChanges(manager, configured, waitMs));
      return;
    } catch (error) {
      // Another process was first; what it stored decides.
      if (!isUniqueViolation(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Of two processes that store at once the second one waits, for the rows or for the index that allows one check of a
 * state.
 */
async function storeChanges(manager: EntityManager, configured: ConfiguredKeys, waitMs: number): Promise<void> {
  const { purpose, primary } = configured;
  await manager.query(`set local lock_timeout = ${Math.ceil(waitMs)}`);
  const stored = await manager.query<StoredCheck[]>(LOCK, [purpose]);
  const changes = stored.length === 0 ? [{ hash: primary, state: 'Current' as const }] : [];
  for (const { hash, state } of [...changes, ...planChanges(configured, [...stored, ...changes])]) {
    await manager.query(STORE, [purpose, hash, state]);
  }
}

const ATTEMPTS_MAX = 10;
const LOCK = 'select hash, state from key_checks where purpose = $1 order by hash for update';
const STORE = `insert into key_checks (purpose, hash, state, changed_at) values ($1, $2, $3, statement_timestamp())
  on conflict (purpose, hash) do update set state = excluded.state, changed_at = excluded.changed_at`;

function readStoredChecks(manager: EntityManager, purpose: KeyPurpose): Promise<StoredCheck[]> {
  return manager.query<StoredCheck[]>('select hash, state from key_checks where purpose = $1', [purpose]);
}

/** The changes at a start with these keys. Throws WrongSetting for keys that cannot be used with the database now. */
function planChanges({ purpose, primary, accepted }: ConfiguredKeys, stored: readonly StoredCheck[]): CheckChange[] {
  const findState = (hash: Buffer | null) =>
    hash === null ? null : (stored.find((each) => each.hash.equals(hash))?.state ?? null);
  const previous = stored.find(({ state }) => state === 'Previous');
  switch (findState(primary)) {
    case 'Current': {
      const isPreviousGiven = previous === undefined || (accepted !== null && accepted.equals(previous.hash));
      if (!isPreviousGiven)
        throw createSettingError(`${purpose}_ACCEPTED: is not the previous ${purpose}, which stored rows still need`);
      return accepted !== null && findState(accepted) === null ? [{ hash: accepted, state: 'Next' }] : [];
    }
    case 'Previous':
      if (findState(accepted) === 'Current') return [];
      throw createSettingError(`${purpose}: was replaced, and ${purpose}_ACCEPTED is not the one that replaced it`);
    case 'Next':
      if (findState(accepted) !== 'Current')
        throw createSettingError(`${purpose}_ACCEPTED: is not the ${purpose} that is to be replaced`);
      if (previous !== undefined)
        throw createSettingError(`${purpose}: cannot be replaced before the previous one is retired`);
      return [
        { hash: accepted ?? primary, state: 'Previous' },
        { hash: primary, state: 'Current' },
      ];
    case 'Retired':
      throw createSettingError(`${purpose}: is retired: nothing that it has written can be read any more`);
    case null:
      if (findState(accepted) === 'Current') {
        throw createSettingError(
          `${purpose}: must be accepted by every process before one writes with it: set it as ${purpose}_ACCEPTED first`,
        );
      }
      throw createSettingError(
        `${purpose}: is not the one that this database is used with; by another one nothing stored is recognised or read`,
      );
  }
}

function createSettingError(problem: string): WrongSetting {
  return new WrongSetting([`${problem} (docs/operate/replace-keys.md)`]);
}

/** The current and the previous key, and since when; null where there is none. */
export async function getKeyStates(
  source: DataSource,
  purpose: KeyPurpose,
): Promise<{
  readonly current: Buffer | null;
  readonly previous: { readonly hash: Buffer; readonly since: Date } | null;
}> {
  const rows = await source.manager.query<(StoredCheck & { changed_at: Date })[]>(
    'select hash, state, changed_at from key_checks where purpose = $1',
    [purpose],
  );
  const previous = rows.find(({ state }) => state === 'Previous');
  return {
    current: rows.find(({ state }) => state === 'Current')?.hash ?? null,
    previous: previous === undefined ? null : { hash: previous.hash, since: previous.changed_at },
  };
}

/**
 * Retires the previous key: no process that writes with it can start any more, and none needs to accept it. False:
 * there is none.
 */
export async function retirePreviousKey(source: DataSource, purpose: KeyPurpose): Promise<boolean> {
  const [rows] = await source.manager.query<[{ hash: Buffer }[], number]>(
    `update key_checks set state = 'Retired', changed_at = statement_timestamp()
     where purpose = $1 and state = 'Previous' returning hash`,
    [purpose],
  );
  return rows.length > 0;
}
