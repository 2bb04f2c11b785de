import { WrongSetting } from '@pos/core/wrong-setting';
import type { DataSource, EntityManager } from 'typeorm';
import { checkValueOf, type KeyPurpose } from './key-id.js';
import type { StoreSecrets } from './transaction.js';

type KeyState = 'Next' | 'Current' | 'Previous' | 'Retired';

interface StoredCheck {
  readonly hash: Buffer;
  readonly state: KeyState;
}

/** A key that a process writes with, and one that it accepts beside it. */
interface GivenKeys {
  readonly purpose: KeyPurpose;
  readonly first: Buffer;
  readonly accepted: Buffer | null;
}

/** What a start changes of the checks, in this order. */
type CheckChange = { readonly hash: Buffer; readonly state: KeyState };

/**
 * Fails with WrongSetting for a KEY_PEPPER or ENCRYPTION_KEY that the database was not used with: every API key would be
 * unknown, the repeat of a refund another refund, and no stored secret readable. The first process to open it decides.
 * From then on a key is replaced in steps, none of which a process can leave out (ADR 0058).
 */
export async function requireKnownKeys(
  source: DataSource,
  { secrets, waitMs }: { readonly secrets: StoreSecrets; readonly waitMs: number },
): Promise<void> {
  const { pepper, acceptedPepper = null, encryptionKey, acceptedEncryptionKey = null } = secrets;
  await requireKey(source, givenKeys('KEY_PEPPER', pepper, acceptedPepper), waitMs);
  await requireKey(source, givenKeys('ENCRYPTION_KEY', encryptionKey, acceptedEncryptionKey), waitMs);
}

function givenKeys(purpose: KeyPurpose, first: string | Uint8Array, accepted: string | Uint8Array | null): GivenKeys {
  return {
    purpose,
    first: checkValueOf(purpose, first),
    accepted: accepted === null ? null : checkValueOf(purpose, accepted),
  };
}

async function requireKey(source: DataSource, given: GivenKeys, waitMs: number): Promise<void> {
  const stored = await storedChecks(source.manager, given.purpose);
  if (stored.length > 0 && changesFor(given, stored).length === 0) return;
  await source.transaction(async (manager) => {
    await manager.query(`set local lock_timeout = ${Math.ceil(waitMs)}`);
    await manager.query('lock table key_checks in share row exclusive mode');
    if (stored.length === 0) await storeFirst(manager, given);
    for (const { hash, state } of changesFor(given, await storedChecks(manager, given.purpose))) {
      await manager.query(STORE, [given.purpose, hash, state]);
    }
  });
}

const STORE = `insert into key_checks (purpose, hash, state, changed_at) values ($1, $2, $3, clock_timestamp())
  on conflict (purpose, hash) do update set state = excluded.state, changed_at = excluded.changed_at`;

async function storeFirst(manager: EntityManager, { purpose, first }: GivenKeys): Promise<void> {
  if ((await storedChecks(manager, purpose)).length === 0) await manager.query(STORE, [purpose, first, 'Current']);
}

function storedChecks(manager: EntityManager, purpose: KeyPurpose): Promise<StoredCheck[]> {
  return manager.query<StoredCheck[]>('select hash, state from key_checks where purpose = $1', [purpose]);
}

/** What a start with these keys changes. Throws WrongSetting for keys that the database cannot be used with now. */
function changesFor({ purpose, first, accepted }: GivenKeys, stored: readonly StoredCheck[]): CheckChange[] {
  const stateOf = (hash: Buffer | null) =>
    hash === null ? null : (stored.find((each) => each.hash.equals(hash))?.state ?? null);
  const previous = stored.find(({ state }) => state === 'Previous');
  switch (stateOf(first)) {
    case 'Current': {
      const isPreviousGiven = previous === undefined || (accepted !== null && accepted.equals(previous.hash));
      if (!isPreviousGiven)
        throw wrong(`${purpose}_ACCEPTED: is not the previous ${purpose}, which stored rows still need`);
      return accepted !== null && stateOf(accepted) === null ? [{ hash: accepted, state: 'Next' }] : [];
    }
    case 'Previous':
      if (stateOf(accepted) === 'Current') return [];
      throw wrong(`${purpose}: was replaced, and ${purpose}_ACCEPTED is not the one that replaced it`);
    case 'Next':
      if (stateOf(accepted) !== 'Current')
        throw wrong(`${purpose}_ACCEPTED: is not the ${purpose} that is to be replaced`);
      if (previous !== undefined) throw wrong(`${purpose}: cannot be replaced before the previous one is retired`);
      return [
        { hash: accepted ?? first, state: 'Previous' },
        { hash: first, state: 'Current' },
      ];
    case 'Retired':
      throw wrong(`${purpose}: is retired: nothing that it has written can be read any more`);
    case null:
      if (stateOf(accepted) === 'Current') {
        throw wrong(
          `${purpose}: must be accepted by every process before one writes with it: set it as ${purpose}_ACCEPTED first`,
        );
      }
      throw wrong(
        `${purpose}: is not the one that this database is used with; by another one nothing stored is recognised or read`,
      );
  }
}

function wrong(problem: string): WrongSetting {
  return new WrongSetting([`${problem} (docs/operations.md, Replace keys)`]);
}

/** Which of the keys are current and previous, and since when; null where there is none. */
export async function keyStates(
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

/** From now on no process starts that writes with the previous key, and none needs to accept it. False: there is none. */
export async function retirePrevious(source: DataSource, purpose: KeyPurpose): Promise<boolean> {
  const [rows] = await source.manager.query<[{ hash: Buffer }[], number]>(
    `update key_checks set state = 'Retired', changed_at = clock_timestamp()
     where purpose = $1 and state = 'Previous' returning hash`,
    [purpose],
  );
  return rows.length > 0;
}
