import { chown, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { findDataDirectory } from './server-leaks.js';

/** Gives a server a certificate, and lets it refuse every new connection without TLS. */
export async function requireTls(
  server: Pick<EmbeddedPostgres, 'url'>,
  certificate: { readonly cert: string; readonly key: string },
): Promise<void> {
  const cluster = await findDataDirectory(server);
  const { uid, gid } = await stat(cluster);
  const put = async (name: string, text: string): Promise<void> => {
    const file = path.join(cluster, name);
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, uid, gid);
  };
  await put('server.crt', certificate.cert);
  await put('server.key', certificate.key);
  await put('pg_hba.conf', 'hostssl all all all scram-sha-256\n');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** Creates a database on the server, and returns its connection string. */
export async function createDatabase(server: Pick<EmbeddedPostgres, 'url'>, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = name;
  return url.toString();
}
