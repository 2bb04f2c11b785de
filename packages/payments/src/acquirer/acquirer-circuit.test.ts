import { status, type ServiceError } from '@grpc/grpc-js';
import { beforeEach, expect, test } from '@jest/globals';
import { AcquirerCircuit } from './acquirer-circuit.js';

const PAUSE_MS = 1_000;
const OPTIONS = { deadline: new Date(0) };

let nowMs: number;
let changes: boolean[];
let circuit: AcquirerCircuit;
/** Calls that were sent and have no answer yet, oldest first. */
let sent: ((code: status | 'answer') => void)[];

beforeEach(() => {
  nowMs = 0;
  changes = [];
  sent = [];
  circuit = new AcquirerCircuit({
    pauseMs: PAUSE_MS,
    onChange: (isOpen) => changes.push(isOpen),
    nowMs: () => nowMs,
  });
});

/** Asks once; how it ended, or null while it is under way. */
function callThrough(): { end: status | 'answer' | null; isSent: boolean } {
  const before = sent.length;
  const attempt: ReturnType<typeof callThrough> = { end: null, isSent: false };
  circuit.guard<string>((_, done) => {
    sent.push((code) => {
      if (code === 'answer') done(null, 'yes');
      else done({ code } as ServiceError, '');
    });
  })(OPTIONS, (error) => (attempt.end = error === null ? 'answer' : error.code));
  attempt.isSent = sent.length > before;
  return attempt;
}

function askAndEnd(code: status | 'answer'): void {
  expect(callThrough().isSent).toBe(true);
  sent.at(-1)!(code);
}

function open(): void {
  for (let count = 0; count < 5; count += 1) askAndEnd(status.DEADLINE_EXCEEDED);
}

test.each([
  [4, true],
  [5, false],
  [9, false],
])('after %i silent calls that were under way together the next one is sent: %s', (silences, isSent) => {
  for (let count = 0; count < silences; count += 1) callThrough();
  for (const end of sent.splice(0)) end(status.UNAVAILABLE);
  expect(callThrough().isSent).toBe(isSent);
  expect(circuit.isOpen).toBe(!isSent);
});

test('silences that an answer comes between do not open it', () => {
  for (let count = 0; count < 4; count += 1) askAndEnd(status.DEADLINE_EXCEEDED);
  askAndEnd('answer');
  for (let count = 0; count < 4; count += 1) askAndEnd(status.DEADLINE_EXCEEDED);
  expect([circuit.isOpen, changes]).toEqual([false, []]);
});

test.each([status.NOT_FOUND, status.FAILED_PRECONDITION, status.ALREADY_EXISTS, status.PERMISSION_DENIED])(
  'an acquirer that answers with status %i is there',
  (code) => {
    for (let count = 0; count < 20; count += 1) askAndEnd(code);
    expect(circuit.isOpen).toBe(false);
    open();
    nowMs += PAUSE_MS;
    askAndEnd(code);
    expect(circuit.isOpen).toBe(false);
  },
);

test('while it is open nothing is sent but one trial at a time, once per pause', () => {
  open();
  expect(changes).toEqual([true]);
  expect(callThrough()).toEqual({ end: status.UNAVAILABLE, isSent: false });
  nowMs += PAUSE_MS - 1;
  expect(callThrough().isSent).toBe(false);
  nowMs += 1;
  const trial = callThrough();
  expect(trial.isSent).toBe(true);
  nowMs += 10 * PAUSE_MS;
  for (let count = 0; count < 100; count += 1) expect(callThrough().isSent).toBe(false);
  sent.at(-1)!(status.DEADLINE_EXCEEDED);
  expect(trial.end).toBe(status.DEADLINE_EXCEEDED);
  expect(callThrough().isSent).toBe(false);
  nowMs += PAUSE_MS;
  expect(callThrough().isSent).toBe(true);
  expect(changes).toEqual([true]);
});

test('the first answer closes it, also one to a call that was under way when it opened', () => {
  const early = callThrough();
  open();
  sent[0]!('answer');
  expect([early.end, circuit.isOpen, changes]).toEqual(['answer', false, [true, false]]);
  expect(callThrough().isSent).toBe(true);
});

test('a trial that succeeds lets everything through again', () => {
  open();
  nowMs += PAUSE_MS;
  askAndEnd('answer');
  for (let count = 0; count < 20; count += 1) expect(callThrough().isSent).toBe(true);
  expect(changes).toEqual([true, false]);
});
