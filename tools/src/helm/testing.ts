import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const KEY = Buffer.alloc(32, 7).toString('base64');

/** Values that the apps accept, for the keys of a Secret. */
export function listExampleSecrets(): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: 'postgresql://service_app:secret@database.example:5432/pos',
    ENCRYPTION_KEY: KEY,
    KEY_PEPPER: KEY,
    VAULT_KEYS: `first:${KEY}`,
    PORTAL_KEY: KEY,
    SMTP_URL: 'smtps://user:secret@mail.example:465',
  };
}

let certificates: string | undefined;

/** A file in place of every certificate of a pod: settings are checked for certificates, which nothing opens here. */
export function writeCertificates(): string {
  if (certificates !== undefined) return certificates;
  certificates = path.join(mkdtempSync(path.join(tmpdir(), 'certificates-')), 'tls.crt');
  writeFileSync(certificates, '-----BEGIN CERTIFICATE-----\n');
  return certificates;
}
