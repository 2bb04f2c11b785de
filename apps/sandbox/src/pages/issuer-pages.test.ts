import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@pos/service-kit/telemetry';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSandbox, type SandboxServer } from '../sandbox.js';
import { SandboxConfig } from '../config/sandbox-config.js';

let sandbox: SandboxServer;

beforeAll(async () => {
  const config = SandboxConfig.parse({
    ...{ HTTP_PORT: 0, GRPC_PORT: 0, EPOS_HTTP_PORT: 0, GATEWAY_ADDRESSES: '127.0.0.1:1' },
    SANDBOX_DATA: mkdtempSync(join(tmpdir(), 'sandbox-')),
  });
  sandbox = await startSandbox(config, createLog({ app: 'sandbox', level: 'silent' }));
});
afterAll(() => sandbox.close());

async function postForm(path: string, body: string, type = 'application/x-www-form-urlencoded') {
  const answer = await fetch(`${sandbox.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const encodeForm = (members: Readonly<Record<string, string>>) => new URLSearchParams(members).toString();

test.each([
  // termUrl                                action                                    form-action
  ['https://shop.example/back?a=1&b=2', 'action="https://shop.example/back?a=1&amp;b=2"', 'https://shop.example'],
  ['', '<form method="post">', "'none'"],
  ['javascript:alert(1)', '<form method="post">', "'none'"],
  ['no address', '<form method="post">', "'none'"],
])('the answer of a challenge goes to termUrl %p only if it is a web address', async (termUrl, action, target) => {
  const { status, headers, text } = await postForm('/acquirer/challenge', encodeForm({ paReq: 'r', md: 'm', termUrl }));
  expect(status).toBe(200);
  expect(text).toContain(action);
  expect(headers.get('content-security-policy')?.split('; ')).toContain(`form-action ${target}`);
});

test('posted values stay text', async () => {
  const { text } = await postForm('/acquirer/challenge', encodeForm({ md: '"><script>alert(1)</script>' }));
  expect(text).toContain('value="&quot;>&lt;script>alert(1)&lt;/script>"');
});

test('a challenge without a form is shown too, and returns no values', async () => {
  expect((await postForm('/acquirer/challenge', '{"md":"m"}', 'application/json')).text).toContain(
    'name="md" value=""',
  );
});

test('a form that is too large is refused', async () => {
  expect((await postForm('/acquirer/challenge', encodeForm({ md: 'm'.repeat(70_000) }))).status).toBe(413);
});

test('forms are read only by pages', async () => {
  expect((await postForm('/reset', encodeForm({ md: 'm' }))).status).toBe(415);
  expect((await postForm('/acquirer/device-data', encodeForm({ token: 't' }))).status).toBe(200);
});
