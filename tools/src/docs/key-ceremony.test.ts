import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { readPage } from './page-blocks.js';

const VAULT = path.join(REPOSITORY, 'apps/card-vault');

test('the ceremony of replace-keys.md makes a key of two components whose check values agree', () => {
  const [, section = ''] = readPage('docs/operate/replace-keys.md').split('## Keep master keys in shares');
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
  const [FIRST, OTHER] = ['first', 'other'].map((name) => mkdtempSync(path.join(tmpdir(), `pos-${name}-`)));
  try {
    const env = { PATH: process.env['PATH'] ?? '', FIRST, OTHER };
    const ran = spawnSync('bash', ['-euc', commands], { cwd: VAULT, env, encoding: 'utf8' });
    expect(ran.status).toBe(0);
    const recorded = [...ran.stderr.matchAll(/^check value of this component of second: ([0-9a-f]{6})$/gm)];
    const [first, second] = recorded.map(([, value]) => value);
    expect(ran.stdout).toMatch(
      new RegExp(`^VAULT_KEYS second: ${first}\nVAULT_KEYS_SECOND second: ${second}\nkey second: [0-9a-f]{6}\n$`),
    );
    const files = [path.join(FIRST!, 'VAULT_KEYS'), path.join(OTHER!, 'VAULT_KEYS_SECOND')];
    for (const file of files) {
      expect(statSync(file).mode & 0o077).toBe(0);
      const [, component = ''] = readFileSync(file, 'utf8').trim().split(':');
      expect(Buffer.from(component, 'base64')).toHaveLength(32);
      expect(ran.stdout + ran.stderr).not.toContain(component);
    }
    // One custodian alone gets no key.
    const alone = { ...env, VAULT_KEYS_FILE: files[0], VAULT_KEY_COMPONENTS: '2' };
    const refused = spawnSync(process.execPath, ['dist/key-components.js', 'check'], { cwd: VAULT, env: alone, encoding: 'utf8' });
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('second has 1 of at least 2 components')]);
    expect(refused.stdout).not.toContain('key second');
  } finally {
    for (const folder of [FIRST, OTHER]) rmSync(folder!, { recursive: true });
  }
});
