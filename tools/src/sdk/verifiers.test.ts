import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: string;
  /** Only the event is malformed. */
  readonly isSigned?: true;
}

const FILE = path.join(REPOSITORY, 'sdks/vectors/webhooks.json');
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly vectors: readonly Vector[] };
const LIMIT_MS = 120_000;

/** What a verifier says to all deliveries; null where the machine does not have its language. */
function checkInPython(): readonly string[] | null {
  if (!isInstalled('python3', '--version')) return null;
  const python = ['-B', path.join(REPOSITORY, 'sdks/python/check_vectors.py'), FILE];
  return JSON.parse(run('python3', python)) as readonly string[];
}

function checkInJava(): readonly string[] | null {
  if (!isInstalled('javac', '-version')) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'java-'));
  try {
    const sources = ['WebhookRefusedException', 'WebhookVerifier'].map((name) => `pos/webhooks/${name}.java`);
    const files = ['CheckVectors.java', ...sources].map((name) => path.join(REPOSITORY, 'sdks/java', name));
    run('javac', ['-Xlint:all', '-Werror', '--release', '11', '-d', folder, ...files]);
    return run('java', ['-cp', folder, 'CheckVectors'], vectors.map(toLine).join('\n')).trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function toLine({ now, toleranceSeconds, body, secrets, headers }: Vector): string {
  const texts = [...secrets, ...Object.entries(headers).flat()];
  return [now, toleranceSeconds, encode(body), secrets.length, ...texts.map(encode)].join(' ');
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function isInstalled(program: string, versionFlag: string): boolean {
  return spawnSync(program, [versionFlag]).status === 0;
}

function run(program: string, words: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, words, { input, encoding: 'utf8', timeout: LIMIT_MS });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

test.each([
  ['Python', checkInPython, (vector: Vector) => vector.expected],
  // It does not parse the body.
  ['Java', checkInJava, ({ expected, isSigned }: Vector) => (isSigned === true ? 'accepted' : expected)],
])(
  'the verifier in %s accepts and refuses what all verifiers do',
  (language, check, wanted) => {
    const found = check();
    if (found === null) {
      process.stdout.write(`  ${language} is not installed here, so its verifier was not tested\n`);
      return;
    }
    expect(vectors.map(({ name }, index) => [name, found[index]])).toEqual(
      vectors.map((vector) => [vector.name, wanted(vector)]),
    );
  },
  LIMIT_MS,
);
