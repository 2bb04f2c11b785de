import { WrongUse } from '../failures/wrong-use.js';

/** A flag of a command: how its text is read, and what `--help` says about it. */
export interface Flag<T> {
  readonly brief: string;
  /** The placeholder of the value; null for a switch, which takes none. */
  readonly placeholder: string | null;
  readonly isRequired: boolean;
  /** It may be given more than once. */
  readonly isRepeated: boolean;
  readonly parse: (text: string) => T;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

const SINGLE = { isRequired: false, isRepeated: false } as const;

/** A text that may be left out. */
export function text(brief: string, placeholder: string): Flag<string | undefined> {
  return { ...SINGLE, brief, placeholder, parse: (value) => value };
}

/** Texts, each after its own flag. */
export function texts(brief: string, placeholder: string): Flag<readonly string[] | undefined> {
  return { ...SINGLE, brief, placeholder, isRepeated: true, parse: (value) => [value] };
}

/** True when it is given. */
export function toggle(brief: string): Flag<boolean> {
  return { ...SINGLE, brief, placeholder: null, parse: (value) => value === 'true' };
}

/** A whole number that may be left out. */
export function wholeNumber(
  brief: string,
  { min, max }: { readonly min: number; readonly max: number },
): Flag<number | undefined> {
  const parse = (value: string): number => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new WrongUse(`must be a whole number from ${min} to ${max}`);
    return number;
  };
  return { ...SINGLE, brief, placeholder: 'number', parse };
}

/** The `name=value` pairs of a flag that is given several times. */
export function readPairs(flag: string, pairs: readonly string[]): Readonly<Record<string, string>> {
  const read = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new WrongUse(`${flag} ${pair}: must be name=value`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const twice = read.find(([name], index) => read.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new WrongUse(`${flag} ${twice[0]} is given twice`);
  return Object.fromEntries(read);
}
