import { PosAnswerError } from '../errors/errors.js';

/** A page of a listing. */
export interface Page<T> {
  readonly data: readonly T[];
  /** The cursor of the older page; null when there is none. */
  readonly after: string | null;
}

/** Every element of a listing, from page to page; a page is read when the loop arrives at it. */
export async function* iteratePages<T>(
  readPage: (after: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  do {
    const page = await readPage(after);
    yield* page.data;
    // A loop without an end is worse than an error.
    if (page.after !== null && page.after === after) throw new PosAnswerError(`the page after ${after} is itself`);
    after = page.after ?? undefined;
  } while (after !== undefined);
}
