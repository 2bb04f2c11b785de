import { countPredictableCharacters } from './predictable-characters.js';

/** The person whose password it is. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;
/** How many passwords of a user, the present one included, may not be set again. */
export const PASSWORDS_REMEMBERED = 4;

const DIFFERENT_CHARACTERS_MIN = 5;
/** Shorter parts of a name or an address are in many good passwords by chance. */
const OWN_WORD_LENGTH_MIN = 4;
const SERVICE_WORDS = ['portal', 'payments', 'pointofsale'];

/** The letters that digits and signs look like, as in `p4ssw0rd`. */
const LETTERS_OF_SIGNS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i' },
};

/**
 * What is wrong with a password, each as the end of a sentence that begins with "the password"; empty if nothing is.
 * `commonPasswords` are in lower case.
 */
export function findPasswordFaults(
  password: string,
  owner: PasswordOwner,
  commonPasswords: ReadonlySet<string>,
): string[] {
  const lengthFault = `must be ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  // Nothing else is looked for in a text of any length.
  if (password.length > PASSWORD_LENGTH_MAX) return [lengthFault];
  const faults: string[] = password.length < PASSWORD_LENGTH_MIN ? [lengthFault] : [];
  if (!/\p{L}/u.test(password) || !/\p{Nd}/u.test(password)) faults.push('must have a letter and a digit');
  const lower = password.normalize('NFKC').toLowerCase();
  if (new Set(lower).size < DIFFERENT_CHARACTERS_MIN) {
    faults.push(`must have at least ${DIFFERENT_CHARACTERS_MIN} different characters`);
  }
  if (isMostlyPredictable(lower)) faults.push('must not be mostly a sequence or a repetition');
  if (isCommon(lower, commonPasswords)) faults.push('is a common password, or one with a few characters added');
  if (containsAny(lower, listOwnWords(owner))) faults.push('must not contain your name or your e-mail address');
  if (containsAny(lower, SERVICE_WORDS)) faults.push('must not contain the name of the service');
  return faults;
}

/** Also with signs between its parts, as in `123-456-789-012a`. */
function isMostlyPredictable(lower: string): boolean {
  const plain = lower.replaceAll(/[^\p{L}\p{Nd}]/gu, '');
  return [lower, plain].some((text) => countPredictableCharacters(text) > Array.from(text).length / 2);
}

/** Also `Password2026!`, `p4ssw0rd2026` and `qwertyqwerty12`: people add what a rule asks for at an end, or repeat it. */
function isCommon(lower: string, commonPasswords: ReadonlySet<string>): boolean {
  return [lower, replaceSigns(lower)].some((text) => {
    const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    const unnumbered = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return [text, core, replaceSigns(unnumbered)]
      .flatMap((each) => [each, findRepeatedPart(each)])
      .some((each) => commonPasswords.has(each));
  });
}

function replaceSigns(text: string): string {
  return text.replaceAll(/[01345@7$!]/g, (sign) => LETTERS_OF_SIGNS[sign] ?? sign);
}

/** `qwerty` of `qwertyqwerty`; the text itself if it repeats nothing. */
function findRepeatedPart(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}

function listOwnWords({ email, name }: PasswordOwner): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  // The last part is a public suffix, such as `com`.
  const labels = domain.split('.').slice(0, -1);
  return [local, ...local.split(/[^\p{L}]+/u), ...labels, ...name.toLowerCase().split(/[^\p{L}]+/u)].filter(
    (word) => word.length >= OWN_WORD_LENGTH_MIN,
  );
}

function containsAny(lower: string, words: readonly string[]): boolean {
  const texts = [lower, replaceSigns(lower)];
  return words.some((word) => texts.some((text) => text.includes(word)));
}

/** Why a user must change the password before anything else: somebody else has set it, or it is too old. */
export const PASSWORD_CHANGE_REASONS = ['firstUse', 'age'] as const;
export type PasswordChangeReason = (typeof PASSWORD_CHANGE_REASONS)[number];

/** Null: the password may be kept. `maxAgeMs` null: passwords have no age. */
export function findPasswordChangeReason(
  { isTemporary, ageMs }: { readonly isTemporary: boolean; readonly ageMs: number },
  maxAgeMs: number | null,
): PasswordChangeReason | null {
  if (isTemporary) return 'firstUse';
  return maxAgeMs !== null && ageMs > maxAgeMs ? 'age' : null;
}
