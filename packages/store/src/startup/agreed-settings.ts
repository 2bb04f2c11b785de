import { WrongSetting } from '@pos/core/refusals';
import type { DataSource } from 'typeorm';
import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** The app of a process, and the text of each of its settings that all processes must agree on. */
export interface OwnSettings {
  readonly app: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** A setting as the processes of a database have agreed on it. */
export interface AgreedSetting {
  readonly name: string;
  readonly value: string;
  /** While an operator changes the setting: the value that is accepted beside the current one. */
  readonly nextValue: string | null;
  /** The app whose process stored the value. */
  readonly app: string;
  readonly changedAt: Date;
  /** The apps whose last start was refused because of the setting's value. */
  readonly refused: readonly RefusedStart[];
}

/** A process that did not start because of its value of a setting. */
export interface RefusedStart {
  readonly app: string;
  readonly value: string;
  readonly at: Date;
}

interface AgreedSettingRow {
  readonly name: string;
  readonly value: string;
  readonly next_value: string | null;
  readonly app: string;
  readonly changed_at: Date;
  readonly refused: Readonly<Record<string, { readonly value: string; readonly at: string }>>;
}

const COLUMNS = 'name, value, next_value, app, changed_at, refused';
const LIST = defineStatement('list_agreed_settings', `select ${COLUMNS} from agreed_settings order by name`);
const LOCK = defineStatement(
  'lock_agreed_setting',
  `select ${COLUMNS} from agreed_settings where name = $1 for no key update`,
);
const UPDATE = defineStatement(
  'update_agreed_setting',
  'update agreed_settings set value = $2, next_value = $3, changed_at = $4 where name = $1 returning name',
);
const DELETE_ALL = defineStatement('delete_agreed_settings', 'delete from agreed_settings returning name');

/**
 * Throws WrongSetting for a setting that differs from the one of the other processes. The first process that opens
 * the database stores its values (ADR 0073).
 */
export async function requireAgreedSettings(source: DataSource, { app, settings }: OwnSettings): Promise<void> {
  const names = Object.keys(settings);
  if (names.length === 0) return;
  const known = new Set((await readRows(source, names)).map(({ name }) => name));
  for (const name of names.filter((each) => !known.has(each))) {
    await source.manager.query(
      `insert into agreed_settings (name, value, app, changed_at) values ($1, $2, $3, clock_timestamp())
       on conflict (name) do nothing`,
      [name, settings[name], app],
    );
  }
  const refused: AgreedSettingRow[] = [];
  for (const row of await readRows(source, names)) {
    const own = settings[row.name];
    const isRefused = own !== row.value && own !== row.next_value;
    if (isRefused) refused.push(row);
    if (isRefused || row.refused[app] !== undefined) await storeStart(source, { app, own, isRefused, name: row.name });
  }
  if (refused.length > 0)
    throw new WrongSetting(refused.map((row) => describeRefusal(row, app, settings[row.name] ?? '')));
}

/** Stores the value with which a process did not start, for `pos-admin doctor`, or deletes it after a start. */
async function storeStart(
  source: DataSource,
  start: { readonly app: string; readonly name: string; readonly own: string | undefined; readonly isRefused: boolean },
): Promise<void> {
  const { app, name, own, isRefused } = start;
  await source.manager.query(
    isRefused
      ? `update agreed_settings set refused = refused || jsonb_build_object($2::text,
           jsonb_build_object('value', $3::text, 'at', clock_timestamp())) where name = $1`
      : 'update agreed_settings set refused = refused - $2::text where name = $1',
    isRefused ? [name, app, own] : [name, app],
  );
}

/** One line with both values and the command that lets processes start with either. */
function describeRefusal({ name, value, next_value: next, app: first }: AgreedSettingRow, app: string, own: string) {
  const change = `pos-admin agreed-settings change --name ${name} --value ${quote(own)} --reason '...'`;
  const commands =
    next === null ? change : `pos-admin agreed-settings finish --name ${name} --reason '...', then ${change}`;
  return `${name}: is ${own} at ${app}, and ${value}${next === null ? '' : `, or ${next}`} at the other processes (${first} was the first): set the same value, or accept both for a rollout: ${commands}`;
}

/** A value as one word of a shell. */
function quote(value: string): string {
  return /^[\w./:@=,+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function readRows(source: DataSource, names: readonly string[]): Promise<AgreedSettingRow[]> {
  return source.manager.query<AgreedSettingRow[]>(`select ${COLUMNS} from agreed_settings where name = any ($1)`, [
    names,
  ]);
}

/** All agreed settings by name. */
export async function listAgreedSettings(reader: SystemReader): Promise<AgreedSetting[]> {
  return (await reader.query<AgreedSettingRow>(LIST, [])).map(toAgreedSetting);
}

/** The setting, locked until the transaction ends, or null. */
export async function lockAgreedSetting(tx: Tx, name: string): Promise<AgreedSetting | null> {
  const [row] = await tx.query<AgreedSettingRow>(LOCK, [name]);
  return row === undefined ? null : toAgreedSetting(row);
}

/** Stores the values of a setting; processes that start from now on go by them. */
export async function updateAgreedSetting(
  tx: Tx,
  { name, value, nextValue }: Pick<AgreedSetting, 'name' | 'value' | 'nextValue'>,
): Promise<void> {
  await tx.query(UPDATE, [name, value, nextValue, tx.databaseNow]);
}

/** Deletes all values, and returns their names: the next process that starts stores its own. */
export async function deleteAgreedSettings(tx: Tx): Promise<string[]> {
  return (await tx.query<{ name: string }>(DELETE_ALL, [])).map(({ name }) => name);
}

function toAgreedSetting(row: AgreedSettingRow): AgreedSetting {
  const { name, value, app, next_value: nextValue, changed_at: changedAt } = row;
  const refused = Object.entries(row.refused).map(([each, start]) => ({
    ...{ app: each, value: start.value, at: new Date(start.at) },
  }));
  return { name, value, nextValue, app, changedAt, refused };
}
