import { parseKnownId, type Scope } from '@pos/core/identity';
import type { Database } from '../database/database.js';
import { retirePreviousKey } from '../startup/key-checks.js';
import type { SealContext } from '../crypto/sealing.js';
import { type Statement, defineStatement } from '@pos/postgres/statements';

/** Rows that one statement reads, whether they have to be sealed again or not. */
const PAGE_ROWS = 2_000;
const REPORT_EVERY = 200;

/** A column of sealed bytes: how its rows are read in pages, and one of them replaced. */
interface SealedColumn {
  readonly relation: string;
  readonly column: string;
  /** The primary key without the scope. */
  readonly keys: readonly string[];
  readonly page: Statement;
  readonly replace: Statement;
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  defineSealedColumn('epos_integrations', 'password_ciphertext', ['kind']),
  defineSealedColumn('webhook_secrets', 'value_ciphertext', ['subscription_id', 'id']),
  defineSealedColumn('setup_intents', 'secret_ciphertext', ['id']),
  defineSealedColumn('payment_intents', 'secret_ciphertext', ['id']),
  defineSealedColumn('portal_totp_secrets', 'secret_ciphertext', ['user_id', 'state']),
  defineSealedColumn('idempotency_keys', 'answer_ciphertext', ['method', 'path', 'key']),
];

/** The result of a rotation. */
export interface ResealResult {
  readonly resealed: number;
  /** Rows that no given key opens; they stay as they are. */
  readonly unreadable: readonly string[];
  /** Whether the previous key was retired: only when every row could be read. */
  readonly isPreviousRetired: boolean;
}

/**
 * Seals all data again that is not sealed under the current ENCRYPTION_KEY, then retires the previous key. It may be
 * stopped at any time, run again and run beside the service: each row is a separate transaction, which changes
 * nothing if the row was changed meanwhile. Every process must write with the current key before it starts.
 */
export async function resealAll(
  database: Database,
  report: (resealed: number) => void = () => undefined,
): Promise<ResealResult> {
  const unreadable = new Set<string>();
  let resealed = 0;
  for (;;) {
    let resealedInPass = 0;
    for (const column of SEALED_COLUMNS) {
      for await (const row of listRowsToReseal(database, column)) {
        const outcome = await resealRow(database, column, row);
        if (outcome === 'unreadable') unreadable.add(`${column.relation}.${column.column} ${row.keys.join('/')}`);
        if (outcome !== 'resealed') continue;
        resealedInPass += 1;
        if ((resealed + resealedInPass) % REPORT_EVERY === 0) report(resealed + resealedInPass);
      }
    }
    resealed += resealedInPass;
    // A row that another transaction changed meanwhile is found by the next pass, which ends when it finds none.
    if (resealedInPass === 0) break;
  }
  const isPreviousRetired = unreadable.size === 0 && (await retirePreviousKey(database.dataSource, 'ENCRYPTION_KEY'));
  return { resealed, unreadable: [...unreadable], isPreviousRetired };
}

interface SealedRow {
  readonly scope: Scope;
  readonly keys: readonly string[];
  readonly sealed: Buffer;
}

async function* listRowsToReseal(database: Database, { page, keys }: SealedColumn): AsyncGenerator<SealedRow> {
  let after: readonly string[] = ['', '', ...keys.map(() => '')];
  for (;;) {
    type Row = { readonly place: string[]; readonly sealed: Buffer | null };
    const rows = await database.readSystem((reader) => reader.query<Row>(page, [database.sealedPrefix, ...after]));
    for (const { place, sealed } of rows) {
      if (sealed === null) continue;
      const [accountId = '', environment = '', ...names] = place;
      const scope = { accountId: parseKnownId('account', accountId), environment: environment as Scope['environment'] };
      yield { scope, keys: names, sealed };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.place;
  }
}

async function resealRow(
  database: Database,
  { relation, column, replace }: SealedColumn,
  { scope, keys, sealed }: SealedRow,
): Promise<'resealed' | 'changed' | 'unreadable'> {
  const place: SealContext = { relation, column, row: keys.join('/') };
  return database.transact(scope, async (tx) => {
    let text: string;
    try {
      text = tx.open(place, sealed);
    } catch {
      return 'unreadable';
    }
    const values = [scope.accountId, scope.environment, ...keys, sealed, tx.seal(place, text)];
    return (await tx.query(replace, values)).length === 1 ? 'resealed' : 'changed';
  });
}

function defineSealedColumn(relation: string, column: string, keys: readonly string[]): SealedColumn {
  const names = ['account_id', 'environment', ...keys];
  const after = names.map((_, at) => `$${at + 2}`).join(', ');
  const where = names.map((name, at) => `${name} = $${at + 1}`).join(' and ');
  const [old, renewed] = [`$${names.length + 1}`, `$${names.length + 2}`];
  return {
    ...{ relation, column, keys },
    page: defineStatement(
      `list_sealed_values_of_${relation}`,
      `select array[${names.join(', ')}]::text[] as place,
         case when substring(${column} from 1 for length($1::bytea)) <> $1 then ${column} end as sealed
       from ${relation} where (${names.join(', ')}) > (${after}) order by ${names.join(', ')} limit ${PAGE_ROWS}`,
    ),
    replace: defineStatement(
      `reseal_values_of_${relation}`,
      `update ${relation} set ${column} = ${renewed} where ${where} and ${column} = ${old} returning account_id`,
    ),
  };
}
