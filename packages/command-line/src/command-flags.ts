/** A flag of a command: how its text is read, and what `--help` says about it. */
export interface Flag<T> {
  readonly brief: string;
  /** The placeholder of the value in the documentation; null for a switch, which takes none. */
  readonly placeholder: string | null;
  readonly isRequired: boolean;
  /** It may be given more than once; `parse` returns a list of one then. */
  readonly isRepeated: boolean;
  /** The value when it is left out, as it is written. */
  readonly standard?: string;
  /** The values that it accepts; null for any text that `parse` accepts. */
  readonly choices: readonly string[] | null;
  readonly parse: (text: string) => T;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** What most flags are: optional, given once, any text. */
export const PLAIN_FLAG = { isRequired: false, isRepeated: false, choices: null } as const;

/** True when it is given. */
export function toggle(brief: string): Flag<boolean> {
  return { ...PLAIN_FLAG, brief, placeholder: null, parse: (value) => value === 'true' };
}

/** The name of a flag as it is written. */
export function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
