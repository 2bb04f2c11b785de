import { CertificateAuthority, writeFiles } from '@pos/service-kit/network';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CA = 'ca.pem';
/** The callers and the server of the bench's internal calls. */
const APPS = ['epos-tester', 'pay-at-table-gateway'] as const;

/** The certificates of one bench, which the tester and its gateway show each other. */
export class BenchCertificates {
  private constructor(private readonly folder: string) {}

  static async create(): Promise<BenchCertificates> {
    const folder = await mkdtemp(path.join(tmpdir(), 'epos-tester-certificates-'));
    const authority = await CertificateAuthority.create('Service CA of a bench');
    for (const app of APPS) {
      const { cert, key } = await authority.issue({ names: [app] });
      await writeFiles(folder, { [`${app}-cert.pem`]: cert, [`${app}-key.pem`]: key });
    }
    await writeFiles(folder, { [CA]: authority.cert });
    return new BenchCertificates(folder);
  }

  /** The settings by which an app proves its name. */
  getSettings(app: (typeof APPS)[number]) {
    return {
      INTERNAL_TLS_CERT: path.join(this.folder, `${app}-cert.pem`),
      INTERNAL_TLS_KEY: path.join(this.folder, `${app}-key.pem`),
      INTERNAL_TLS_CA: path.join(this.folder, CA),
    };
  }

  /** Deletes the files. */
  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
