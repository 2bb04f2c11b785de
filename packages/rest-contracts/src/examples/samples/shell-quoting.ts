/** One word of a POSIX shell that is this text, whatever it contains. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
