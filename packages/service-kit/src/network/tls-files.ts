import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { rootCertificates, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '../config/config.js';
import type { TlsSettingNames } from '../config/tls-settings.js';
import type { Log } from '../telemetry/log.js';

/** A certificate that this process uses or trusts, with the end of its validity. */
export interface CertificateValidity {
  /** The setting that names its file. */
  readonly setting: string;
  readonly subject: string;
  readonly notAfter: Date;
}

/** How the files are watched. */
interface TlsFileOptions {
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The pause between two looks at the files. */
  readonly reloadMs?: number;
}

type FileRole = keyof TlsSettingNames;

/** The paths of the settings that are set. */
type TlsPaths = ReadonlyMap<FileRole, { readonly setting: string; readonly path: string }>;

/** The content of each file; null for a file that cannot be read. */
type FileContents = ReadonlyMap<FileRole, Buffer | null>;

/** What the files contain, once it has been checked. */
interface TlsMaterial {
  readonly contents: FileContents;
  readonly certificates: readonly CertificateValidity[];
}

/** Kubernetes replaces the files of a secret at most once a minute. */
const TLS_RELOAD_MS = 10_000;

const openFiles = new Set<TlsFiles>();

/** Every certificate in the TLS files that this process has open. */
export function listCertificates(): readonly CertificateValidity[] {
  return [...openFiles].flatMap((files) => files.certificates);
}

/**
 * Reads the files that the settings name, and follows their changes until `close`. Returns null when none is set. Throws
 * `ConfigError` for files that cannot be used; its message names the setting and neither path nor content.
 */
export function openTlsFiles(names: TlsSettingNames, settings: object, options: TlsFileOptions): TlsFiles | null {
  const paths = readPaths(names, settings);
  if (paths.size === 0) return null;
  const { cert, key } = names;
  if (paths.has('cert') !== paths.has('key')) {
    throw new ConfigError([
      paths.has('cert') ? `${key}: is not set, and ${cert} is` : `${cert}: is not set, and ${key} is`,
    ]);
  }
  const contents = new Map([...paths].map(([role, { path }]) => [role, readContent(path)]));
  const checked = checkContents(paths, contents);
  if ('problems' in checked) throw new ConfigError(checked.problems);
  return new TlsFiles(paths, checked, options);
}

/**
 * The PEM files of one side of encrypted connections: its certificate with the key, and the authorities that it trusts.
 * The files are read again every few seconds instead of watched, because a volume of Kubernetes replaces a link to their
 * folder, and network file systems report no changes. Files that cannot be used change nothing and are logged once.
 */
export class TlsFiles {
  readonly #paths: TlsPaths;
  readonly #log: TlsFileOptions['log'];
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #material: TlsMaterial;
  /** Unusable contents that were seen. They are logged at the second look, because files are replaced one by one. */
  #refused: { readonly contents: FileContents; readonly isLogged: boolean } | null = null;
  #isReading = false;

  constructor(paths: TlsPaths, material: TlsMaterial, { log, reloadMs = TLS_RELOAD_MS }: TlsFileOptions) {
    this.#paths = paths;
    this.#material = material;
    this.#log = log;
    this.#timer = setInterval(() => void this.reload(), reloadMs).unref();
    openFiles.add(this);
  }

  get certificates(): readonly CertificateValidity[] {
    return this.#material.certificates;
  }

  get hasIdentity(): boolean {
    return this.#paths.has('cert');
  }

  get hasAuthorities(): boolean {
    return this.#paths.has('ca');
  }

  /** The own certificate with the certificates that lead to its authority, and the key; null without one. */
  get identity(): { readonly certificate: Buffer; readonly privateKey: Buffer } | null {
    const certificate = this.#material.contents.get('cert') ?? null;
    const privateKey = this.#material.contents.get('key') ?? null;
    return certificate === null || privateKey === null ? null : { certificate, privateKey };
  }

  /** The authorities of the other side: those of the file, or the public ones where no file is named. */
  get authorities(): Buffer {
    return this.#material.contents.get('ca') ?? Buffer.from(rootCertificates.join('\n'));
  }

  /** The options of `tls.createSecureContext`. */
  get secureContext(): SecureContextOptions {
    const { identity } = this;
    return {
      ...(identity === null ? {} : { cert: identity.certificate, key: identity.privateKey }),
      ...(this.hasAuthorities ? { ca: this.authorities } : {}),
    };
  }

  /** Calls the listener after each change of the files. Returns the function that ends this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Looks at the files once. Never rejects. */
  async reload(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const entries = [...this.#paths].map(async ([role, { path }]): Promise<[FileRole, Buffer | null]> => [
        role,
        await readFile(path).catch(() => null),
      ]);
      this.#accept(new Map(await Promise.all(entries)));
    } finally {
      this.#isReading = false;
    }
  }

  /** Ends the reading of the files. What was read last stays usable. */
  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
    openFiles.delete(this);
  }

  #accept(contents: FileContents): void {
    if (areEqual(contents, this.#material.contents)) {
      this.#refused = null;
      return;
    }
    const checked = checkContents(this.#paths, contents);
    if ('problems' in checked) {
      this.#refuse(contents, checked.problems);
      return;
    }
    this.#refused = null;
    this.#material = checked;
    this.#log.info('tls.reloaded', {
      settings: [...this.#paths.values()].map(({ setting }) => setting),
      not_after: checked.certificates.map(({ notAfter }) => notAfter.toISOString()),
    });
    for (const listener of this.#listeners) listener();
  }

  #refuse(contents: FileContents, problems: readonly string[]): void {
    const isSeen = this.#refused !== null && areEqual(this.#refused.contents, contents);
    if (isSeen && this.#refused?.isLogged === false) this.#log.warn('tls.reload_refused', { problems });
    this.#refused = { contents, isLogged: isSeen };
  }
}

function readPaths(names: TlsSettingNames, settings: object): TlsPaths {
  const roles: readonly FileRole[] = ['cert', 'key', 'ca'];
  return new Map(
    roles.flatMap((role) => {
      const setting = names[role];
      const path: unknown = setting === undefined ? undefined : Reflect.get(settings, setting);
      return setting === undefined || typeof path !== 'string' ? [] : [[role, { setting, path }] as const];
    }),
  );
}

function readContent(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function areEqual(first: FileContents, second: FileContents): boolean {
  return [...first].every(([role, content]) => {
    const other = second.get(role) ?? null;
    return content === null || other === null ? content === other : content.equals(other);
  });
}

function checkContents(
  paths: TlsPaths,
  contents: FileContents,
): TlsMaterial | { readonly problems: readonly string[] } {
  const problems = [...paths].flatMap(([role, { setting }]) =>
    (contents.get(role) ?? null) === null ? [`${setting}: names a file that cannot be read`] : [],
  );
  if (problems.length > 0) return { problems };
  const own = checkIdentity(paths, contents);
  const trusted = checkAuthorities(paths, contents);
  const found = [...own.problems, ...trusted.problems];
  if (found.length > 0) return { problems: found };
  return { contents, certificates: [...own.certificates, ...trusted.certificates] };
}

interface CheckedCertificates {
  readonly certificates: readonly CertificateValidity[];
  readonly problems: readonly string[];
}

const NO_CERTIFICATES: CheckedCertificates = { certificates: [], problems: [] };

/** The own certificate, whose key must fit and which must be valid. */
function checkIdentity(paths: TlsPaths, contents: FileContents): CheckedCertificates {
  const cert = paths.get('cert')?.setting;
  const key = paths.get('key')?.setting;
  if (cert === undefined || key === undefined) return NO_CERTIFICATES;
  const chain = parseCertificates(contents.get('cert'));
  const [own] = chain ?? [];
  const privateKey = parsePrivateKey(contents.get('key'));
  const problems: string[] = [];
  if (chain === null || own === undefined) problems.push(`${cert}: names a file that holds no certificate in PEM`);
  else if (hasExpired(own)) problems.push(`${cert}: names a certificate that ended on ${readEnd(own).toISOString()}`);
  if (privateKey === null) problems.push(`${key}: names a file that holds no private key in PEM, or an encrypted one`);
  else if (own?.checkPrivateKey(privateKey) === false)
    problems.push(`${key}: is not the key of the certificate in ${cert}`);
  return { certificates: (chain ?? []).map((each) => describeCertificate(each, cert)), problems };
}

/** The authorities. Those that have ended are kept beside valid ones, because a bundle is replaced in steps. */
function checkAuthorities(paths: TlsPaths, contents: FileContents): CheckedCertificates {
  const ca = paths.get('ca')?.setting;
  if (ca === undefined) return NO_CERTIFICATES;
  const authorities = parseCertificates(contents.get('ca'));
  if (authorities === null || authorities.length === 0) {
    return { certificates: [], problems: [`${ca}: names a file that holds no certificate in PEM`] };
  }
  const problems = authorities.every(hasExpired) ? [`${ca}: names a file in which every certificate has ended`] : [];
  return { certificates: authorities.map((each) => describeCertificate(each, ca)), problems };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The certificates of a file in their order; null when one cannot be read. */
function parseCertificates(content: Buffer | null | undefined): X509Certificate[] | null {
  try {
    return [...(content?.toString('latin1') ?? '').matchAll(CERTIFICATE)].map(([text]) => new X509Certificate(text));
  } catch {
    return null;
  }
}

function parsePrivateKey(content: Buffer | null | undefined): KeyObject | null {
  try {
    return createPrivateKey(content ?? '');
  } catch {
    return null;
  }
}

function readEnd({ validTo }: X509Certificate): Date {
  return new Date(Date.parse(validTo));
}

function hasExpired(certificate: X509Certificate): boolean {
  return Date.parse(certificate.validTo) <= Date.now();
}

function describeCertificate(certificate: X509Certificate, setting: string): CertificateValidity {
  const subject = findName([certificate.subject, certificate.subjectAltName]);
  return { setting, subject, notAfter: readEnd(certificate) };
}

/** Node has no subject for a certificate that is named by its alternative names only. */
function findName(names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && name !== '')?.replaceAll('\n', ', ') ?? '';
}
