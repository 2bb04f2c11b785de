/** The name of a session, and the number that distinguishes it from others of the same name; null while it has none. */
export interface SessionLabel {
  readonly sessionId: string;
  readonly name: string;
  readonly number: number | null;
}

/** The text by which people recognise a session. */
export function formatSessionLabel({ name, number }: Pick<SessionLabel, 'name' | 'number'>): string {
  return number === null ? name : `${name} - ${number}`;
}

/**
 * Returns numbers for the listed sessions that need one, by session id, so that no two of them have the same label. A
 * session keeps the number that it has. `used` are numbered sessions that are not listed: their labels stay free.
 */
export function assignLabelNumbers(
  listed: readonly SessionLabel[],
  used: readonly SessionLabel[],
): ReadonlyMap<string, number> {
  const takenLabels = new Set([...listed, ...used].filter(({ number }) => number !== null).map(formatSessionLabel));
  const counts = new Map<string, number>();
  for (const { name } of listed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isPlain = ({ name }: SessionLabel): boolean => counts.get(name) === 1 && !takenLabels.has(name);
  const withoutNumber = listed.filter(({ number }) => number === null);
  const ambiguous = withoutNumber.filter((session) => !isPlain(session));
  // A name that is unique wins over the same text with a number.
  for (const session of withoutNumber) if (isPlain(session)) takenLabels.add(session.name);
  const numbers = new Map<string, number>();
  for (const { sessionId, name } of ambiguous) {
    let number = 1;
    while (takenLabels.has(formatSessionLabel({ name, number }))) number += 1;
    takenLabels.add(formatSessionLabel({ name, number }));
    numbers.set(sessionId, number);
  }
  return numbers;
}
