import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from '@pos/core/refusals';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The migrations of this release. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

/**
 * The end of the first line of a migration that runs outside a transaction, one statement after another, as concurrent
 * index builds need. Each of its statements can be repeated after a failure.
 */
const OUTSIDE_TRANSACTION = /^--.*\bOutside a transaction\.\s*$/;

/** Whether the first line of a migration says that it runs outside a transaction. */
export function isOutsideTransaction(sql: string): boolean {
  return OUTSIDE_TRANSACTION.test(sql.split('\n', 1)[0] ?? '');
}

/**
 * The statements of a migration that runs outside a transaction. Each ends with a semicolon at the end of its line;
 * there are no function bodies.
 */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter((statement) => statement !== '');
}

/** The migrations of the folder as TypeORM requires them: classes whose names end with thirteen digits. */
export function loadMigrations(folder: string): (new () => MigrationInterface)[] {
  return listFiles(folder).map((file) => defineMigration(file, readFileSync(path.join(folder, file), 'utf8')));
}

/** A migration of this release, with the sentence at its head. */
export interface MigrationSummary {
  readonly name: string;
  readonly file: string;
  readonly subject: string;
}

/** The migrations of this release in their order. */
export function listMigrations(): MigrationSummary[] {
  return listFiles(MIGRATIONS_FOLDER).map((file) => ({
    name: buildClassName(file),
    file,
    subject: readSubject(file),
  }));
}

function readSubject(file: string): string {
  const [head = ''] = readFileSync(path.join(MIGRATIONS_FOLDER, file), 'utf8').split('\n');
  return head.replace(/^-- /, '');
}

/** The names that the migrations of a folder have in the database; by default those of this release. */
export function listMigrationNames(folder = MIGRATIONS_FOLDER): string[] {
  return listFiles(folder).map(buildClassName);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
}

function buildClassName(file: string): string {
  const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? [];
  assert(digits !== undefined && name !== undefined, `not the name of a migration: ${file}`);
  return `${name}_${digits.padStart(13, '0')}`;
}

function defineMigration(file: string, sql: string): new () => MigrationInterface {
  const className = buildClassName(file);
  const isOutside = isOutsideTransaction(sql);
  return class implements MigrationInterface {
    readonly name = className;
    readonly transaction = !isOutside;

    async up(queryRunner: QueryRunner): Promise<void> {
      if (!isOutside) {
        await queryRunner.query(sql);
        return;
      }
      // It waits for transactions to end, and meanwhile blocks no other.
      await queryRunner.query('set lock_timeout = 0');
      for (const statement of splitStatements(sql)) await queryRunner.query(statement);
      await queryRunner.query('reset lock_timeout');
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`${file} goes forward only`));
    }
  };
}
