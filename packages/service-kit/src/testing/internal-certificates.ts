import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CertificateAuthority, writeFiles } from '../network/certificate-authority.js';

/** The apps between which there are internal calls. */
const APPS = ['admin', 'api', 'card-vault', 'epos-tester', 'pay-at-table-gateway', 'webhook-worker'] as const;

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const FOLDER = path.join(CACHE, 'internal-certificates');

if (!existsSync(FOLDER)) await createCertificates();

/** The settings by which an app of a test, or of a developer, proves its name to the others. */
export function getInternalTls(app: (typeof APPS)[number]) {
  return {
    INTERNAL_TLS_CERT: path.join(FOLDER, `${app}-cert.pem`),
    INTERNAL_TLS_KEY: path.join(FOLDER, `${app}-key.pem`),
    INTERNAL_TLS_CA: path.join(FOLDER, 'ca.pem'),
  };
}

/** One authority and a certificate for each app, once for the repository. The first of several processes wins. */
async function createCertificates(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(`${FOLDER}-`);
  const authority = await CertificateAuthority.create('Service CA of the tests');
  for (const app of APPS) {
    const { cert, key } = await authority.issue({ names: [app] });
    await writeFiles(folder, { [`${app}-cert.pem`]: cert, [`${app}-key.pem`]: key });
  }
  await writeFiles(folder, { 'ca.pem': authority.cert });
  try {
    await rename(folder, FOLDER);
  } catch (error) {
    await rm(folder, { recursive: true });
    if (!existsSync(FOLDER)) throw error;
  }
}
