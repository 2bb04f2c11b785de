/** The options as the contract has them: JSON of WebAuthn, which only the browser reads. */
export function presentOptions(options: object): { readonly options: Readonly<Record<string, unknown>> } {
  return { options: { ...options } };
}
