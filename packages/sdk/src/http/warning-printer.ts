/** Prints what an integrator should see who has registered no listener, or one that fails. */
export function printWarning(text: string, ...details: readonly unknown[]): void {
  // oxlint-disable-next-line no-console -- the library has no log of its own
  console.warn(`pos: ${text}`, ...details);
}
