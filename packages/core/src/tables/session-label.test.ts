import { describe, expect, test } from '@jest/globals';
import { assignLabelNumbers, formatSessionLabel, type SessionLabel } from './session-label.js';

/** Sessions with these names; "Bar #2" has the number 2 already. */
function listSessions(...texts: readonly string[]): SessionLabel[] {
  return texts.map((text, index) => {
    const [name = '', number] = text.split(' #');
    return { sessionId: `s-${index}`, name, number: number === undefined ? null : Number(number) };
  });
}

function listLabels(listed: readonly SessionLabel[], used: readonly SessionLabel[] = []): string[] {
  const numbers = assignLabelNumbers(listed, used);
  return listed.map((session) =>
    formatSessionLabel({ ...session, number: numbers.get(session.sessionId) ?? session.number }),
  );
}

describe('the labels of one list', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['number equal names', ['Smith', 'Jones', 'Smith'], ['Smith - 1', 'Jones', 'Smith - 2']],
    ['skip a label that is the name of another', ['Bar', 'Bar', 'Bar - 1'], ['Bar - 2', 'Bar - 3', 'Bar - 1']],
    ['skip it in any order', ['Bar - 1', 'Bar', 'Bar - 2', 'Bar'], ['Bar - 1', 'Bar - 3', 'Bar - 2', 'Bar - 4']],
    ['keep the number of the session that remains', ['Bar #2'], ['Bar - 2']],
    ['number a new session beside a numbered one', ['Bar #2', 'Bar'], ['Bar - 2', 'Bar - 1']],
    ['number a new name that a numbered session has', ['Bar #1', 'Bar - 1'], ['Bar - 1', 'Bar - 1 - 1']],
    ['leave a single name alone', ['Bar', 'Hall'], ['Bar', 'Hall']],
  ])('%s', (_, names, labels) => {
    expect(listLabels(listSessions(...names))).toEqual(labels);
    expect(new Set(labels).size).toBe(names.length);
  });

  test('never use the number of a session that is not listed', () => {
    const [used] = listSessions('Bar #1');
    expect(listLabels(listSessions('Bar', 'Bar'), [{ ...used!, sessionId: 'paid' }])).toEqual(['Bar - 2', 'Bar - 3']);
  });
});
