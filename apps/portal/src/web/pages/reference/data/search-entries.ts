import type { ReferenceIndex } from './reference-data.js';

/** Something that the search can find. */
export interface SearchEntry {
  readonly kind: 'operation' | 'event' | 'guide' | 'error';
  /** What programs call it: typed as a whole, it finds this entry first. */
  readonly name: string;
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
      return { kind: 'operation', title: summary, detail: `${method} ${path}`, to, name: id, words: `${tag} ${words}` };
    }),
    ...index.events.map(({ kind }): SearchEntry => {
      return { kind: 'event', name: kind, title: kind, detail: '', to: `/reference/events/${kind}`, words: '' };
    }),
    ...index.guides.flatMap(({ id, title, headings }): SearchEntry[] => {
      const to = `/reference/guides/${id}`;
      return [
        { kind: 'guide', name: id, title, detail: '', to, words: '' },
        ...headings.map((heading): SearchEntry => {
          return {
            kind: 'guide',
            name: '',
            title: heading.title,
            detail: title,
            to: `${to}#${heading.id}`,
            words: '',
          };
        }),
      ];
    }),
    ...index.errors.map(({ reason, status, meaning }): SearchEntry => {
      return {
        kind: 'error',
        name: reason,
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
function rankEntry(entry: SearchEntry, wanted: readonly string[]): number | null {
  const [name, title, detail, words] = [entry.name, entry.title, entry.detail, entry.words].map((each) =>
    each.toLowerCase(),
  );
  const everywhere = `${name} ${title} ${detail} ${words}`;
  if (!wanted.every((word) => everywhere.includes(word))) return null;
  if ([name, title].includes(wanted.join(' '))) return 0;
  if (wanted.every((word) => title?.includes(word) === true)) return 1;
  return wanted.every((word) => `${title} ${detail}`.includes(word)) ? 2 : 3;
}
