import { PageSearch, readText } from '../../components/page-search.js';

/** Which customers are listed: the part of the address after `?`. */
export interface CustomerSearch extends PageSearch {
  /** The beginning of a name, or of an address if it contains `@`. */
  readonly text?: string;
}

const TEXT_LENGTH_MAX = 100;

export const CustomerSearch = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): CustomerSearch {
    const text = readText(search['text'], TEXT_LENGTH_MAX);
    return { ...PageSearch.parse(search), ...(text !== undefined && { text }) };
  },

  /** The body of the search. */
  toBody({ text, before, after }: CustomerSearch, limit: number) {
    return {
      ...{ limit, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
      ...(text !== undefined && (text.includes('@') ? { emailAddress: text } : { name: text })),
    };
  },
};
