import type { ReferenceIndex } from './reference-data.js';

/** Something that the search can find. */
export interface SearchEntry {
  readonly kind: 'operation' | 'event' | 'guide' | 'error';
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  /** Further words that find it. */
  readonly words: string;
}

const RESULTS_MAX = 12;

/** Everything in the contents, guides also by their headings. */
export function listSearchEntries(index: ReferenceIndex): SearchEntry[] {
  return [
    ...index.operations.map(({ id, method, path, summary, words, tag }): SearchEntry => {
      const to = `/reference/operations/${id}`;
      return { kind: 'operation', title: summary, detail: `${method} ${path}`, to, words: `${id} ${tag} ${words}` };
    }),
    ...index.events.map(({ kind }): SearchEntry => {
      return { kind: 'event', title: kind, detail: '', to: `/reference/events/${kind}`, words: '' };
    }),
    ...index.guides.flatMap(({ id, title, headings }): SearchEntry[] => {
      const to = `/reference/guides/${id}`;
      return [
        { kind: 'guide', title, detail: '', to, words: '' },
        ...headings.map((heading): SearchEntry => {
          return { kind: 'guide', title: heading.title, detail: title, to: `${to}#${heading.id}`, words: '' };
        }),
      ];
    }),
    ...index.errors.map(({ reason, status, meaning }): SearchEntry => {
      return {
        kind: 'error',
        title: reason,
        detail: String(status),
        to: `/reference/errors/${reason}`,
        words: meaning,
      };
    }),
  ];
}

/** The entries that contain every word of the query, those with it in their title first. Empty for no words. */
export function searchEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = entries.flatMap((entry) => {
    const rank = rankEntry(entry, words);
    return rank === null ? [] : [{ entry, rank }];
  });
  // The sort is stable: entries of one rank keep the order of the contents.
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, RESULTS_MAX)
    .map(({ entry }) => entry);
}

/** From 0, the best; null: a word is missing. */
function rankEntry({ title, detail, words }: SearchEntry, wanted: readonly string[]): number | null {
  const [inTitle, inDetail, inWords] = [title.toLowerCase(), detail.toLowerCase(), words.toLowerCase()];
  const everywhere = `${inTitle} ${inDetail} ${inWords}`;
  if (!wanted.every((word) => everywhere.includes(word))) return null;
  if (inTitle === wanted.join(' ') || inWords.split(' ', 1)[0] === wanted.join(' ')) return 0;
  if (wanted.every((word) => inTitle.includes(word))) return 1;
  return wanted.every((word) => `${inTitle} ${inDetail}`.includes(word)) ? 2 : 3;
}
