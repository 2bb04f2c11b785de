import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNativeFolder } from '@pos/dev-database';
import type { ContainerSettings } from './container-config.js';
import { makeShellBase } from './machine-base.js';

/** The user of PostgreSQL in its official image. */
const POSTGRES_USER = 999;
const SERVER_FOLDER = '/usr/lib/postgresql/18';
const VOLUME = '/var/lib/postgresql';

/** What the entry point of the official image does for the settings of compose.yaml. */
const ENTRY_POINT = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --encoding=UTF8 --locale=C $POSTGRES_INITDB_ARGS
  echo "create database \\"$POSTGRES_DB\\"" | postgres --single -D "$PGDATA" postgres
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec postgres -c 'listen_addresses=*' -c unix_socket_directories=/run/postgresql "$@"
`;

/** pg_isready for `-h`, `-U` and `-d`: the server must ask for a password, as libpq's own check wants. */
const IS_READY = `#!/usr/local/bin/node
const flags = process.argv.slice(2);
const value = (flag) => flags[flags.indexOf(flag) + 1];
const text = Buffer.from(['user', value('-U'), 'database', value('-d'), '', ''].join('\\0'));
const head = Buffer.alloc(8);
head.writeUInt32BE(text.length + 8, 0);
head.writeUInt32BE(196_608, 4);
const socket = require('node:net').connect(5432, value('-h'), () => socket.write(Buffer.concat([head, text])));
socket.setTimeout(3_000, () => process.exit(2));
socket.on('error', () => process.exit(2));
socket.on('data', (answer) => process.exit(answer.toString('latin1', 0, 1) === 'R' ? 0 : 1));
`;

/**
 * Makes the files of an image that stands in for `postgres:18`: the server of developers, with what the entry point of
 * the official image does. It has the same user, the same folder of rows and the same program that checks its health.
 */
export function makePostgresStandIn(files: string, node: string): ContainerSettings {
  makeShellBase(files, node);
  cpSync(findNativeFolder(), path.join(files, SERVER_FOLDER), { recursive: true, verbatimSymlinks: true });
  appendFileSync(
    path.join(files, 'etc/passwd'),
    `postgres:x:${POSTGRES_USER}:${POSTGRES_USER}:PostgreSQL:${VOLUME}:/bin/sh\n`,
  );
  for (const [name, text] of [
    ['docker-entrypoint.sh', ENTRY_POINT],
    ['pg_isready', IS_READY],
  ] as const) {
    writeFileSync(path.join(files, 'usr/local/bin', name), text, { mode: 0o755 });
  }
  const volume = path.join(files, VOLUME);
  mkdirSync(volume, { recursive: true });
  chownSync(volume, POSTGRES_USER, POSTGRES_USER);
  chmodSync(volume, 0o1777);
  mkdirSync(path.join(files, 'run/postgresql'), { recursive: true });
  return {
    files,
    command: ['docker-entrypoint.sh'],
    folder: '/',
    user: '0:0',
    env: { PATH: `/usr/local/bin:/usr/bin:/bin:${SERVER_FOLDER}/bin`, PGDATA: `${VOLUME}/18/docker` },
  };
}
