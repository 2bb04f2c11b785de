import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** A certificate for a receiver on loopback, and its certificate authority. PEM. */
export interface DevCertificates {
  readonly caFile: string;
  /** The authorities that the apps trust: this one, a developer's own, and that of a world with TLS. */
  readonly egressFile: string;
  readonly key: string;
  readonly cert: string;
}

const DAYS = 3650;
/** Made in a tenth of the time that two RSA keys take. */
const KEYS = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/**
 * The certificates of a developer's machine, created once per folder. They are valid for loopback only, and only
 * processes with the setting `EGRESS_CA_FILE` trust them.
 */
export async function devCertificates(
  folder: string,
  trustedCaFiles: readonly string[] = [],
): Promise<DevCertificates> {
  const caFile = path.join(folder, 'ca.pem');
  const certFile = path.join(folder, 'loopback.pem');
  const keyFile = path.join(folder, 'loopback-key.pem');
  if (!existsSync(caFile)) await makeCertificates({ folder, caFile, certFile, keyFile });
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
  if (trustedCaFiles.length === 0) return { caFile, egressFile: caFile, key, cert };
  const egressFile = path.join(folder, 'egress-ca.pem');
  const authorities = await Promise.all([caFile, ...trustedCaFiles].map((file) => readFile(file, 'utf8')));
  await writeFile(egressFile, authorities.join('\n'));
  return { caFile, egressFile, key, cert };
}

async function makeCertificates(files: {
  readonly folder: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}): Promise<void> {
  await mkdir(files.folder, { recursive: true });
  const notBeforeDate = new Date();
  const notAfterDate = new Date(notBeforeDate.getTime() + DAYS * 24 * 60 * 60 * 1000);
  const ca = await generate([{ name: 'commonName', value: 'Developer CA of this machine' }], {
    ...KEYS,
    notBeforeDate,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...KEYS,
    notBeforeDate,
    notAfterDate,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  await writeFile(files.keyFile, leaf.private, { mode: 0o600 });
  await writeFile(files.certFile, leaf.cert);
  // The authority's file shows that all others exist, so it is written last, in one step.
  await writeFile(`${files.caFile}.new`, ca.cert);
  await rename(`${files.caFile}.new`, files.caFile);
}
