import { type Flag, PLAIN_FLAG } from '@pos/command-line';
import { WrongUse } from '../failures/wrong-use.js';

/** A text that may be left out. */
export function text(brief: string, placeholder: string): Flag<string | undefined> {
  return { ...PLAIN_FLAG, brief, placeholder, parse: (value) => value };
}

/** Texts, each after its own flag. */
export function texts(brief: string, placeholder: string): Flag<readonly string[] | undefined> {
  return { ...PLAIN_FLAG, brief, placeholder, isRepeated: true, parse: (value) => [value] };
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
  return { ...PLAIN_FLAG, brief, placeholder: 'number', parse };
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
