/** Reads JSON of an EPOS; undefined for what is none. Texts in it may hold what no database stores. */
export function parseEposJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
