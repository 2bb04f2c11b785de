import { randomInt } from 'node:crypto';
import type { StoredRecoveryCode } from '@pos/store/portal';
import { hashPassword, verifyPassword } from './password-hash.js';

const RECOVERY_CODES = 10;
/** Without the characters that people confuse. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP = 5;
const LABEL_LENGTH = GROUP;
/** 20 characters, of which 15 are secret: 74 bits. */
const GROUPS = 4;

/** New codes, which only the caller knows, and what is stored of them. */
export async function createRecoveryCodes(): Promise<{
  readonly codes: readonly string[];
  readonly stored: readonly StoredRecoveryCode[];
}> {
  const labels = new Set<string>();
  while (labels.size < RECOVERY_CODES) labels.add(drawText(LABEL_LENGTH));
  const plain = [...labels].map((label) => `${label}${drawText(GROUP * GROUPS - LABEL_LENGTH)}`);
  const stored = [];
  for (const code of plain) stored.push({ label: code.slice(0, LABEL_LENGTH), hash: await hashPassword(code) });
  return { codes: plain.map(formatCode), stored };
}

/** The label of the stored code that this text is; null for another text, after the same work. */
export async function findRecoveryCode(stored: readonly StoredRecoveryCode[], text: string): Promise<string | null> {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '');
  const found = stored.find(({ label }) => label === code.slice(0, LABEL_LENGTH)) ?? null;
  return (await verifyPassword(found?.hash ?? null, code)) ? (found?.label ?? null) : null;
}

function drawText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

function formatCode(code: string): string {
  return (code.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
}
