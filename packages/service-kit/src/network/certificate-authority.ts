import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** A certificate with its key, in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says. */
export interface CertificateRequest {
  /** The DNS names; the first is the common name, too. */
  readonly names: readonly string[];
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const VALIDITY_MS = 3_650 * DAY_MS;

/** A private certificate authority for a developer's machine, the bench of the EPOS tester and tests. Production has its own. */
export class CertificateAuthority {
  private constructor(
    /** Its own certificate, in PEM. */
    readonly cert: string,
    readonly key: string,
  ) {}

  static async create(name: string): Promise<CertificateAuthority> {
    const notBeforeDate = new Date(Date.now() - DAY_MS);
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
      ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256' },
      ...{ notBeforeDate, notAfterDate: new Date(notBeforeDate.getTime() + VALIDITY_MS) },
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    });
    return new CertificateAuthority(cert, key);
  }

  /** An authority that was created earlier. */
  static load({ cert, key }: IssuedCertificate): CertificateAuthority {
    return new CertificateAuthority(cert, key);
  }

  /** Issues a certificate for servers and clients. */
  async issue({ names, addresses = [], ...validity }: CertificateRequest): Promise<IssuedCertificate> {
    const { notBefore = new Date(Date.now() - DAY_MS) } = validity;
    const { notAfter = new Date(notBefore.getTime() + VALIDITY_MS) } = validity;
    const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
      ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256' },
      ...{ notBeforeDate: notBefore, notAfterDate: notAfter, ca: { cert: this.cert, key: this.key } },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...names.map((value) => ({ type: 2 as const, value })),
            ...addresses.map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    });
    return { cert, key };
  }
}

/** Writes files of a folder, each in one step, so that a reader never sees half of one. */
export async function writeFiles(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
