import { type Flag, PLAIN_FLAG } from '@pos/command-line';
import { type AccountId, type Environment, ENVIRONMENTS, isId } from '@pos/core/identity';

/** What is wrong with the text of a flag, in the words after the name of the flag. */
class WrongFlagText extends Error {
  override readonly name = 'WrongFlagText';
}

/** Flags that do not go together, or operands of a wrong form: the command was not begun. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

const REQUIRED_FLAG = { ...PLAIN_FLAG, isRequired: true } as const;

/** A required text. */
export function text(brief: string, placeholder: string): Flag<string> {
  return { ...REQUIRED_FLAG, brief, placeholder, parse: (value) => value };
}

/** A required value of a fixed set. */
export function choice<T extends string>(brief: string, choices: readonly T[]): Flag<T> {
  const parse = (value: string): T => {
    const found = choices.find((each) => each === value);
    if (found === undefined) throw new WrongFlagText(`must be one of ${choices.join(', ')}`);
    return found;
  };
  return { ...REQUIRED_FLAG, brief, placeholder: choices.join('|'), choices, parse };
}

/** A time: a date, or a date with a time and its zone. */
export function time(brief: string): Flag<Date> {
  const parse = (value: string): Date => {
    const date = parseTime(value);
    if (date === null) throw new WrongFlagText('must be a date (2027-01-31) or a time (2027-01-31T12:00:00Z)');
    return date;
  };
  return { ...REQUIRED_FLAG, brief, placeholder: 'time', parse };
}

const TIME_FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date is its first moment in UTC; null: no date. */
export function parseTime(value: string): Date | null {
  const date = new Date(value);
  if (!TIME_FORM.test(value) || Number.isNaN(date.getTime())) return null;
  // Node accepts 2027-02-31 and continues in March.
  return date.toISOString().startsWith(value.slice(0, 8)) || value.length > 10 ? date : null;
}

/** A whole number. */
export function wholeNumber(brief: string, { min, max }: { readonly min: number; readonly max: number }): Flag<number> {
  const parse = (value: string): number => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new WrongFlagText(`must be a whole number from ${min} to ${max}`);
    return number;
  };
  return { ...REQUIRED_FLAG, brief, placeholder: 'number', parse };
}

/** A list of texts, separated by commas. */
export function list(brief: string, placeholder: string): Flag<readonly string[]> {
  return { ...text(brief, placeholder), parse: splitList };
}

export function splitList(value: string): readonly string[] {
  return value.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

/** The same flag, which may be left out. */
export function optional<T>(flag: Flag<T>): Flag<T | undefined> {
  return { ...flag, isRequired: false };
}

/** The same flag with a value when it is left out. */
export function withDefault<T>(flag: Flag<T>, standard: string): Flag<T> {
  return { ...flag, isRequired: false, standard };
}

/** The account of a command. */
export function account(): Flag<AccountId> {
  const parse = (value: string): AccountId => {
    if (!isId('account', value)) throw new WrongFlagText('must be the id of an account (acc_...)');
    return value;
  };
  return { ...text('The account.', 'acc_...'), parse };
}

/** The environment of a command: production unless it is named. */
export function environment(): Flag<Environment> {
  return withDefault(choice('The environment.', ENVIRONMENTS), 'production');
}
