// X.509 certificates with Node alone: this runs in an image of ours, which has no openssl and no packages for it. Keys
// are on the curve P-256, certificates are signed by ECDSA with SHA-256 (RFC 5280, RFC 5758).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';

const DAY_MS = 24 * 60 * 60 * 1000;
const CA_DAYS = 3_650;
const LEAF_DAYS = 90;
/** A certificate with fewer days left is replaced. */
const RENEWAL_DAYS = 30;
/** Clocks of other machines may be behind. */
const BACKDATED_MS = 60 * 60 * 1000;
const SERIAL_BYTES = 16;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};
const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  oid: 6,
  utf8: 12,
  utcTime: 23,
  generalizedTime: 24,
  sequence: 48,
  set: 49,
};
/** DigitalSignature of a leaf; KeyCertSign and CRLSign of an authority, as bit strings. */
const USAGE = { leaf: Buffer.from([7, 0x80]), ca: Buffer.from([1, 0x06]) };

/** A new certificate authority: `{ certificate, key }` in PEM. */
export function makeAuthority(commonName, now = new Date()) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    extension(OID.basicConstraints, true, sequence(boolean(true), integer(Buffer.from([0])))),
    extension(OID.keyUsage, true, der(TAG.bitString, USAGE.ca)),
    extension(OID.subjectKeyIdentifier, false, der(TAG.octetString, keyIdentifier(pair.publicKey))),
  ];
  const subject = name(commonName);
  const parts = { subject, issuer: subject, days: CA_DAYS, publicKey: pair.publicKey, extensions, now };
  return { certificate: toCertificate(parts, pair.privateKey), key: toPem(pair.privateKey) };
}

/** A certificate of the authority for these DNS names and IPv4 addresses: `{ certificate, key }` in PEM. */
export function makeCertificate(authority, { names, addresses = [], isClient = false }, now = new Date()) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const caKey = createPrivateKey(authority.key);
  const purposes = [OID.serverAuth, ...(isClient ? [OID.clientAuth] : [])];
  const altNames = [
    ...names.map((each) => der(0x82, Buffer.from(each, 'ascii'))),
    ...addresses.map((each) => der(0x87, Buffer.from(each.split('.').map(Number)))),
  ];
  const extensions = [
    extension(OID.basicConstraints, true, sequence()),
    extension(OID.keyUsage, true, der(TAG.bitString, USAGE.leaf)),
    extension(OID.extendedKeyUsage, false, sequence(...purposes.map(oid))),
    extension(OID.subjectAltName, false, sequence(...altNames)),
    extension(OID.authorityKeyIdentifier, false, sequence(der(0x80, keyIdentifier(createPublicKey(caKey))))),
  ];
  const { subject: issuerName } = new X509Certificate(authority.certificate);
  const issuer = name(issuerName.replace(/^CN=/, ''));
  const parts = { subject: name(names[0]), issuer, days: LEAF_DAYS, publicKey: pair.publicKey, extensions, now };
  return { certificate: toCertificate(parts, caKey), key: toPem(pair.privateKey) };
}

/** Whether a certificate must be replaced: it ends soon, or the authority did not issue it. */
export function needsRenewal(certificate, authority, now = new Date()) {
  const known = new X509Certificate(certificate);
  const isOurs = known.checkIssued(new X509Certificate(authority.certificate));
  return !isOurs || Date.parse(known.validTo) - now.getTime() < RENEWAL_DAYS * DAY_MS;
}

function toCertificate({ subject, issuer, days, publicKey, extensions, now }, signer) {
  const serial = randomBytes(SERIAL_BYTES);
  // Positive, and of full length.
  serial[0] = (serial[0] & 0x7f) | 0x40;
  const from = new Date(now.getTime() - BACKDATED_MS);
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    issuer,
    sequence(time(from), time(new Date(now.getTime() + days * DAY_MS))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(TAG.bitString, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]));
  const base64 = sequence(body, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g).join('\n')}\n-----END CERTIFICATE-----\n`;
}

function toPem(privateKey) {
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

function keyIdentifier(publicKey) {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return createHash('sha1').update(point).digest();
}

function name(commonName) {
  return sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from(commonName)))));
}

function extension(id, isCritical, value) {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), der(TAG.octetString, value));
}

/** Years from 2050 on have four digits (RFC 5280, 4.1.2.5). */
function time(date) {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? der(TAG.utcTime, Buffer.from(digits.slice(2)))
    : der(TAG.generalizedTime, Buffer.from(digits));
}

function oid(text) {
  const [first, second, ...rest] = text.split('.').map(Number);
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value) {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function boolean(value) {
  return der(TAG.boolean, Buffer.from([value ? 0xff : 0]));
}

function integer(bytes) {
  return der(TAG.integer, bytes);
}

function sequence(...parts) {
  return der(TAG.sequence, ...parts);
}

/** Tag, length and contents. */
function der(tag, ...contents) {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
