/** Formats a moment for a list: day, month, hour and minute in the language and time zone of the browser. */
export function formatMoment(moment: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(moment));
}
