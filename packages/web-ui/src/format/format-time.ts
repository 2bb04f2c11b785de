import { chooseRegion } from '../messages/language.js';

/** Formats a moment for a list: day, month, hour and minute in the language, region and time zone of the browser. */
export function formatMoment(moment: string, language: string): string {
  const region = chooseRegion(language, navigator.languages);
  return new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(moment));
}
