import path from 'node:path';
import type { SourceFile } from './source-tree.js';

/** Words that the glossary has replaced, each with its term. Add a word once its last use is gone. */
export const REPLACED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/(\b|[a-z])[Ww]ish(es|ed)?\b/, 'request'],
  [/(\b|[a-z])[Ee]rrands?\b/, 'task, call'],
  [/(\b|[a-z])[Dd]esks?\b/, 'service'],
  [/(\b|[a-z])Doors?\b/, 'server, client, driver'],
  [/(\b|[a-z])[Nn]oughts?\b/, 'zero'],
  [/(\b|[a-z])Stor(y|ies)\b|\bstor(y|ies)\b/, 'scenario'],
  [/\bmend(s|ed|ing)?\b/, 'fix'],
  [/\baskTogether\b/, 'pipeline'],
  [/\bHeardTime\b/, 'DatabaseClock'],
  [/\b[Ww]hoever\b/, 'the actor'],
  [/\b[Aa]new\b/, 'again'],
  [/\bbelieve(s|d)?\b/, 'trust, check'],
  [/\b(dies|died)\b/, 'stops, crashes'],
  [/\b[Dd]oors?\b/, 'server, client, port'],
  [/\b(hears|heard by|heard of)\b/, 'receives'],
  [/\b(judges|judged by|judging)\b/, 'checks, decides'],
  [/\b(he|him)\b/, 'they (people), it (apps)'],
  [/\b[Gg]oes on\b(?! being)/, 'continues'],
  [/\b(comes|came) back\b/, 'returns, reconnects'],
  [/\bmeetsAt\b/, 'verb + object'],
  [/\b([Uu]n)?[Tt]old\b/, 'receives, is sent'],
  [/\bof late\b(?!\.)/, 'recently'],
  [/\b[Ww]hat became of\b/, 'the outcome of, the state of'],
  [/\b([Uu]n)?[Hh]eard(At)?\b|\b[Hh]ear(ing)?\b/, 'receives'],
  [/\b[Ww]hatever\b|\b[Ww]hichever\b/, 'any, every'],
  [/\b(himself|herself)\b/, 'themselves'],
  [/\b[Nn]obody knows\b/, 'is unknown'],
  [/\b[Ss]igns? of life\b/, 'heartbeat, message, activity'],
  [/\bcalled off\b/, 'cancelled'],
  [/\bstands? for\b/, 'represents'],
  [/\bseats?\b/, 'slot'],
  [/\bchores?\b/, 'maintenance'],
  [/[a-z]Visits?\b|\bonVisit\b/, 'result'],
  [/\bopenHouse\b|\b(the|a|this|every) house\b/, 'restaurant, database, environment'],
  [/Keepers?\b|-keepers?\b/, 'monitor, worker'],
  [/\b(news: |News\b)/, 'outbox, event'],
  [/\b[Rr]etell\b/, 'repeat'],
  [/\bjudge(s|d|ment)?\b/, 'checks, decides'],
  [/\b[Ll]ook_failed\b/, 'poll_failed'],
];

const THIS_FILE = 'tools/src/repository/replaced-words.ts';
const TEXT = /\.(ts|tsx|js|mjs|cjs|md|proto|sql)$/;

/** Where a word is used, in the name or the text of a file. */
export function findWord(word: RegExp, tree: readonly SourceFile[]): string[] {
  return tree
    .filter(({ file }) => TEXT.test(file) && file !== THIS_FILE)
    .flatMap(({ file, text }) => {
      // Few files have any of the words, and to search all of a text at once is cheap.
      const lines = word.test(text) ? text.split('\n') : [];
      const found = lines.flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
      return word.test(path.basename(file)) ? [file, ...found] : found;
    });
}

/** How often the replaced words are used. */
export function countReplacedWords(tree: readonly SourceFile[]): number {
  return REPLACED_WORDS.reduce((sum, [word]) => sum + findWord(word, tree).length, 0);
}
