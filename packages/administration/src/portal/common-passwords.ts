import { dictionary } from '@zxcvbn-ts/language-common';

let passwords: ReadonlySet<string> | null = null;

/** The passwords that people choose most, in lower case. The list is built when it is used first. */
export function getCommonPasswords(): ReadonlySet<string> {
  passwords ??= new Set(dictionary['passwords-common'].map((each) => each.toLowerCase()));
  return passwords;
}
