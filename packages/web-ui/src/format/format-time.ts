import { chooseRegion } from '../messages/language.js';

/** Spaces of a date, which a comma separates from the time. */
const DATE_SPACE = / (?=[^,]*,)/g;
const NO_BREAK_SPACE = '\u00a0';

/**
 * Formats a moment for a list: date and time in the language, region and time zone of the browser. In a narrow column
 * only the time wraps.
 */
export function formatMoment(moment: string, language: string): string {
  const region = chooseRegion(language, navigator.languages);
  const text = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(moment));
  return text.replaceAll(DATE_SPACE, NO_BREAK_SPACE);
}
