// Makes the secrets and certificates of compose.yaml, one folder for each service, before anything starts. It may run
// again at any time: secrets stay, and certificates are replaced 30 days before they end. The apps read replaced
// certificates without a restart.
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeAuthority, makeCertificate, needsRenewal } from './certificates.js';

const KEY_BYTES = 32;
/** The users of the images. */
const APP_USER = 65_532;
const DATABASE_USER = 999;
/** Where each service finds its folder. */
const MOUNT = '/run/pos';

/** The secrets and certificates of each service. `http` and `grpc` are public; `internal` is the app's own identity. */
const SERVICES = {
  database: { secrets: ['OWNER_PASSWORD'], certificates: ['database'], user: DATABASE_USER },
  migrate: { secrets: ['DATABASE_OWNER_URL', 'SERVICE_APP_PASSWORD', 'SERVICE_VAULT_PASSWORD'], certificates: [] },
  api: { secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER', 'PORTAL_KEY'], certificates: ['http', 'internal'] },
  'card-vault': {
    secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER', 'VAULT_KEYS'],
    certificates: ['http', 'internal'],
  },
  'webhook-worker': { secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER'], certificates: ['internal'] },
  'pay-at-table-gateway': {
    secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER'],
    certificates: ['http', 'grpc', 'internal'],
  },
  'epos-tester': { secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER'], certificates: ['http', 'internal'] },
  checkout: { secrets: [], certificates: ['http'] },
  portal: { secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER', 'PORTAL_KEY'], certificates: ['http'] },
  sandbox: { secrets: [], certificates: ['http', 'grpc'] },
  admin: { secrets: ['DATABASE_URL', 'ENCRYPTION_KEY', 'KEY_PEPPER'], certificates: ['internal'] },
};

const [root = '/services', kept = '/kept'] = process.argv.slice(2);
const names = (process.env.PUBLIC_NAMES ?? 'localhost').split(',').map((each) => each.trim());

mkdirSync(kept, { recursive: true });
const secrets = keepSecrets();
const authorities = { internal: keepAuthority('internal'), public: keepAuthority('public') };
for (const [service, { secrets: own, certificates, user = APP_USER }] of Object.entries(SERVICES)) {
  const folder = path.join(root, service);
  mkdirSync(folder, { recursive: true });
  give(folder, 0o700, user);
  for (const [name, { certificate }] of Object.entries(authorities)) put(folder, `${name}-ca.crt`, certificate, user);
  for (const secret of own) put(folder, secret, secretFor(service, secret), user);
  for (const kind of certificates) putCertificate(folder, kind, service, user);
  // Its owner may read the folder, and nobody may add to it.
  give(folder, 0o500, user);
}
process.stdout.write(`secrets and certificates of ${Object.keys(SERVICES).length} services are in place\n`);

/** What must never change once a database exists. */
function keepSecrets() {
  const file = path.join(kept, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = drawAll((encoding) => randomBytes(KEY_BYTES).toString(encoding));
  write(file, JSON.stringify(made), 0o600);
  return made;
}

function drawAll(draw) {
  return {
    OWNER_PASSWORD: draw('hex'),
    SERVICE_APP_PASSWORD: draw('hex'),
    SERVICE_VAULT_PASSWORD: draw('hex'),
    ENCRYPTION_KEY: draw('base64'),
    KEY_PEPPER: draw('base64url'),
    VAULT_KEYS: `first:${draw('base64')}`,
    PORTAL_KEY: draw('base64url'),
  };
}

function keepAuthority(name) {
  const file = path.join(kept, `${name}-ca.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = makeAuthority(`pos ${name}`);
  write(file, JSON.stringify(made), 0o600);
  return made;
}

function secretFor(service, secret) {
  const { OWNER_PASSWORD, SERVICE_APP_PASSWORD, SERVICE_VAULT_PASSWORD } = secrets;
  if (secret === 'DATABASE_OWNER_URL') return databaseUrl('pos_owner', OWNER_PASSWORD);
  if (secret !== 'DATABASE_URL') return secrets[secret];
  return service === 'card-vault'
    ? databaseUrl('service_vault', SERVICE_VAULT_PASSWORD)
    : databaseUrl('service_app', SERVICE_APP_PASSWORD);
}

function databaseUrl(login, password) {
  return `postgresql://${login}:${password}@database:5432/pos?sslmode=verify-full&sslrootcert=${MOUNT}/internal-ca.crt`;
}

/** `internal` and `database` are of the internal authority, which issues nothing else. */
function putCertificate(folder, kind, service, user) {
  const isInternal = kind === 'internal' || kind === 'database';
  const authority = isInternal ? authorities.internal : authorities.public;
  const file = path.join(folder, `${kind}.crt`);
  if (existsSync(file) && !needsRenewal(readFileSync(file, 'utf8'), authority)) return;
  const subject = isInternal
    ? { names: [service], isClient: kind === 'internal' }
    : {
        names: [service, ...names.filter((each) => !isAddress(each))],
        addresses: [...names.filter(isAddress), '127.0.0.1'],
      };
  const { certificate, key } = makeCertificate(authority, subject);
  // A reader takes the new key only with the new certificate, which is written last.
  put(folder, `${kind}.key`, key, user);
  put(folder, `${kind}.crt`, certificate, user);
}

function isAddress(text) {
  return /^\d+(\.\d+){3}$/.test(text);
}

function put(folder, name, text, user) {
  const file = path.join(folder, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  write(file, text, 0o400);
  give(file, 0o400, user);
}

function write(file, text, mode) {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

/** Changes the owner where this process may, as in the container. */
function give(file, mode, user) {
  chmodSync(file, mode);
  if (process.getuid() === 0) chownSync(file, user, user);
}
