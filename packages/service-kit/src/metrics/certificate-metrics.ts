import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { addCollector, defineGauge } from './metric-registry.js';

const EXPIRY = defineGauge({
  name: 'pos_tls_certificate_expiry_timestamp_seconds',
  help: 'When the first certificate of a PEM file ends, in seconds since 1970, by the setting that names the file.',
  labels: ['certificate'],
});

/** The settings that name PEM files with certificates. */
const CERTIFICATE_SETTING = /_TLS_(CERT|CA)(_PRODUCTION)?$|_CA_FILE$/;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the certificates that the settings of an app name, at every scrape, so that a replaced file counts at once.
 * The returned function ends it.
 */
export function collectCertificates(settings: object): () => void {
  const files = Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    CERTIFICATE_SETTING.test(name) && typeof value === 'string' ? [{ name, file: value }] : [],
  );
  return addCollector(async () => {
    EXPIRY.clear();
    for (const { name, file } of files) {
      const expiries = readExpiries(await readFile(file, 'utf8'));
      if (expiries.length > 0) EXPIRY.set({ certificate: name }, Math.min(...expiries));
    }
  });
}

function readExpiries(pem: string): number[] {
  return (pem.match(PEM_CERTIFICATE) ?? []).map((text) => Date.parse(new X509Certificate(text).validTo) / 1_000);
}
