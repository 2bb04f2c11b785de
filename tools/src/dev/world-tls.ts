import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CertificateAuthority, type IssuedCertificate, writeFiles } from '@pos/service-kit/network';
import { Agent, fetch as fetchWith } from 'undici';
import { LOOPBACK } from './ports.js';

/** The paths of the certificate that an app shows, and of the authority that it trusts. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Who else calls the service of a developer: the demo and the start itself. */
export const DEMO_CLIENT = 'demo';

/**
 * The certificates of a world: one authority, and one certificate for each app, for its internal port and its internal
 * calls, and in a world with `TLS` for all others. They are created at the first start of a folder.
 */
export class WorldTls {
  private constructor(
    readonly folder: string,
    private readonly authority: CertificateAuthority,
  ) {}

  static async open(folder: string, apps: readonly string[]): Promise<WorldTls> {
    const tls = new WorldTls(folder, await openAuthority(folder));
    for (const app of [...apps, DEMO_CLIENT]) if (!existsSync(tls.filesOf(app).cert)) await tls.issue(app);
    return tls;
  }

  filesOf(app: string): CertificateFiles {
    const [cert, key, ca] = [`${app}-cert.pem`, `${app}-key.pem`, CA].map((name) => path.join(this.folder, name));
    return { cert: cert ?? '', key: key ?? '', ca: ca ?? '' };
  }

  /** Issues a certificate for an app and replaces the one that it had. The running app uses it by itself. */
  async issue(app: string): Promise<IssuedCertificate> {
    const issued = await this.authority.issue({ names: [app, 'localhost'], addresses: [LOOPBACK, '::1'] });
    await writeFiles(this.folder, { [`${app}-key.pem`]: issued.key, [`${app}-cert.pem`]: issued.cert });
    return issued;
  }
}

const CA = 'ca.pem';
const CA_KEY = 'ca-key.pem';

async function openAuthority(folder: string): Promise<CertificateAuthority> {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  if (existsSync(path.join(folder, CA))) return CertificateAuthority.load({ cert: read(CA), key: read(CA_KEY) });
  const authority = await CertificateAuthority.create('Service CA of this machine');
  // The certificate shows that the key exists, so it is written last.
  await writeFiles(folder, { [CA_KEY]: authority.key, [CA]: authority.cert });
  return authority;
}

/** `fetch` for the addresses of a world, with or without TLS. */
export function createWorldFetch(files: CertificateFiles | null): typeof fetch {
  if (files === null) return fetch;
  const dispatcher = new Agent({ connect: { ca: readFileSync(files.ca, 'utf8') } });
  const send = (url: string, init: Parameters<typeof fetchWith>[1]) => fetchWith(url, { ...init, dispatcher });
  // The types of the package and of Node differ in members that no caller here uses.
  return send as unknown as typeof fetch;
}
