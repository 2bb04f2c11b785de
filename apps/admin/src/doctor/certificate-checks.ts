import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DoctorFinding, note, ok, problem } from './finding.js';

/** The settings that name PEM files with certificates. */
const CERTIFICATE_SETTING = /_(TLS_(CERT|CA)(_PRODUCTION)?|CA_FILE)$|^PGSSLROOTCERT$/;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const DAY_MS = 86_400_000;
const PROBLEM_DAYS = 7;
const NOTE_DAYS = 30;

/** Checks the certificates in the files that the environment names, as the apps have them. */
export function checkCertificates(env: Readonly<Record<string, string | undefined>>, now: Date): DoctorFinding[] {
  const named = Object.entries(env).filter(([name, file]) => CERTIFICATE_SETTING.test(name) && (file ?? '') !== '');
  return named.flatMap(([name, file = '']) => checkFile(name, file, now));
}

function checkFile(name: string, file: string, now: Date): DoctorFinding[] {
  const texts = readCertificates(file);
  if (texts === null || texts.length === 0) {
    return [problem(name, `${file} cannot be read or contains no certificate`, 'correct the setting')];
  }
  return texts.map((text) => checkCertificate(name, text, now));
}

function checkCertificate(name: string, text: string, now: Date): DoctorFinding {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(text);
  } catch {
    return problem(name, 'a certificate cannot be read', 'replace the file');
  }
  const days = Math.floor((new Date(certificate.validTo).getTime() - now.getTime()) / DAY_MS);
  const subject = certificate.subject.split('\n').at(-1) ?? '';
  const message = `the certificate ${subject} ${days < 0 ? 'has ended' : `ends in ${days} days`}`;
  if (days < PROBLEM_DAYS) return problem(name, message, 'replace it now');
  return days < NOTE_DAYS ? note(name, message, 'replace it soon') : ok(name, message);
}

function readCertificates(file: string): string[] | null {
  try {
    return readFileSync(file, 'utf8').match(PEM_CERTIFICATE) ?? [];
  } catch {
    return null;
  }
}
