import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { storeAnswer } from './answer-storing.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const SILENT_LOG = { warn: () => undefined };

/** Has the database read the note, as a text or as a document. */
function storeNoteAs(type: 'text' | 'jsonb') {
  return async (input: { readonly answer: string; readonly note?: string }) => {
    const value = type === 'text' ? (input.note ?? '') : JSON.stringify(input.note ?? '');
    await database.database.read(createTestScope(), (reader) =>
      reader.query(defineStatement(`note_${type}`, `select $1::${type}`), [value]),
    );
    return input;
  };
}

test.each([
  ['text', 'sold\0 out'],
  ['jsonb', 'sold\0 out'],
  ['jsonb', 'sold\ud83d out'],
] as const)('an answer whose note cannot be stored as %s is stored without it: %j', async (type, note) => {
  expect(await storeAnswer({ answer: 'Conflict', note }, storeNoteAs(type), SILENT_LOG)).toEqual({
    answer: 'Conflict',
  });
});

test('an answer whose note can be stored is stored with it, once', async () => {
  const answer = { answer: 'Conflict', note: 'sold out' };
  expect(await storeAnswer(answer, storeNoteAs('text'), SILENT_LOG)).toBe(answer);
});

test('any other failure is not tried again', async () => {
  let tries = 0;
  const fail = () => {
    tries += 1;
    return Promise.reject(new Error('away'));
  };
  await expect(storeAnswer({ answer: 'Conflict', note: 'sold out' }, fail, SILENT_LOG)).rejects.toThrow('away');
  expect(tries).toBe(1);
});
