/** Which page of a list is shown: the cursors in the address, so that a page can be sent to a colleague. */
export interface PageSearch {
  readonly before?: string;
  readonly after?: string;
}

const CURSOR_LENGTH_MAX = 200;

export const PageSearch = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): PageSearch {
    const [before, after] = [readText(search['before']), readText(search['after'])];
    if (before !== undefined) return { before };
    return after === undefined ? {} : { after };
  },
};

/** A text of an address that is short enough for the service; undefined for anything else. */
export function readText(value: unknown, lengthMax = CURSOR_LENGTH_MAX): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= lengthMax ? value : undefined;
}
