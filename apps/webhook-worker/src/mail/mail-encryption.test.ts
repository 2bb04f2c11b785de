import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, Secret } from '@pos/service-kit/config';
import type { Mail } from '@pos/store/repositories';
import { CertificateAuthority, type IssuedCertificate } from '@pos/service-kit/network';
import { Config } from '../config/config.js';
import { TestMailServer } from '../testing/test-mail-server.js';
import { parseMailServer } from '../config/mail-server.js';
import { SmtpMailer } from './smtp-mailer.js';

/** An address that the system connects to this machine, and that is none of loopback. */
const OFF_LOOPBACK = '0.0.0.0';
const MAIL = {
  ...{ id: 'mail', recipient: 'guest@example.com', subject: 'Your receipt', text: 'Total', html: '<b>Total</b>' },
} as Mail;

let authority: CertificateAuthority;
let certificate: IssuedCertificate;
let server: TestMailServer;

beforeAll(async () => {
  authority = await CertificateAuthority.create('mail');
  certificate = await authority.issue({ names: ['localhost'], addresses: [OFF_LOOPBACK] });
});
afterEach(() => {
  server.close();
});

async function sendMail({
  host = OFF_LOOPBACK,
  scheme = 'smtp',
  login = '',
  ca = authority.cert,
}: {
  readonly host?: string;
  readonly scheme?: string;
  readonly login?: string;
  readonly ca?: string | null;
}) {
  const url = new Secret(`${scheme}://${login}${host}:${new URL(server.url).port}`);
  const mailer = new SmtpMailer({ url, from: 'receipts@corner.example', certificateAuthority: ca });
  try {
    return await mailer.send(MAIL);
  } finally {
    mailer.close();
  }
}

test('off loopback a mail is sent only after the change to TLS, and so is the password', async () => {
  server = await TestMailServer.open({ certificate });
  expect(await sendMail({ login: 'corner:p%40ss@' })).toEqual({ outcome: 'taken' });
  expect(server.receivedMails).toMatchObject([{ to: ['guest@example.com'], isEncrypted: true }]);
  expect(server.plaintextCommands.map((command) => command.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
  expect(server.logins).toEqual([{ user: 'corner', pass: 'p@ss' }]);
});

test('off loopback a server without STARTTLS gets neither the mail nor the password, and the mail waits', async () => {
  server = await TestMailServer.open();
  expect(await sendMail({ login: 'corner:secret@' })).toEqual({ outcome: 'unanswered', reason: 'ETLS, answered 502' });
  expect(server.receivedMails).toEqual([]);
  expect(server.plaintextCommands.map((command) => command.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
});

test.each(['smtp', 'smtps'])(
  '%s: a certificate of another authority or name is refused, and the mail waits',
  async (scheme) => {
    server = await TestMailServer.open({ certificate, isSecure: scheme === 'smtps' });
    const refused = { outcome: 'unanswered', reason: expect.stringMatching(/^(ETLS|ESOCKET)/) };
    expect(await sendMail({ scheme, ca: null })).toEqual(refused);
    server.close();
    const other = await authority.issue({ names: ['mail.elsewhere.example'], addresses: ['192.0.2.1'] });
    server = await TestMailServer.open({ certificate: other, isSecure: scheme === 'smtps' });
    expect(await sendMail({ scheme })).toEqual(refused);
    expect(server.receivedMails).toEqual([]);
  },
);

test('smtps encrypts from the first byte', async () => {
  server = await TestMailServer.open({ certificate, isSecure: true });
  expect(await sendMail({ scheme: 'smtps' })).toEqual({ outcome: 'taken' });
  expect(server.receivedMails).toMatchObject([{ isEncrypted: true }]);
});

test('on loopback a server without TLS gets the mail', async () => {
  server = await TestMailServer.open();
  expect(await sendMail({ host: '127.0.0.1' })).toEqual({ outcome: 'taken' });
  expect(server.receivedMails).toMatchObject([{ isEncrypted: false }]);
});

test.each([
  ['smtp://mail.example', true],
  ['smtp://mail.example:25', true],
  ['smtp://10.0.0.1', true],
  ['smtp://127.evil.example', true],
  ['smtp://[2001:db8::1]:25', true],
  ['smtp://localhost:1025', false],
  ['smtp://LOCALHOST', false],
  ['smtp://127.0.0.1:1025', false],
  ['smtp://[::1]:1025/', false],
  ['smtps://mail.example', false],
])('%s must change to TLS: %s', (url, needsStartTls) => {
  expect(parseMailServer(url)).toMatchObject({ needsStartTls, isSecure: url.startsWith('smtps') });
});

test.each([
  'smtp://mail.example?ignoreTLS=true',
  'smtps://mail.example/?tls.rejectUnauthorized=false',
  'smtps://mail.example/?secure=false',
  'smtps://mail.example#x',
  'smtps://mail.example/x',
  'smtps://user:100%@mail.example',
  'smtps://',
  'https://mail.example',
  'mail.example:25',
])('SMTP_URL=%s is refused at the start', (url) => {
  expect(() => readConfig(Config, { SMTP_URL: url, NODE_ENV: 'development' })).toThrow(/SMTP_URL: is not smtps?:\/\//);
});

test('SMTP_CA_FILE must be a certificate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-'));
  try {
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, 'nothing');
    expect(() => readConfig(Config, { SMTP_CA_FILE: file })).toThrow(/SMTP_CA_FILE: names a file/);
    writeFileSync(file, authority.cert);
    expect(() => readConfig(Config, { SMTP_CA_FILE: file })).not.toThrow(/SMTP_CA_FILE/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
