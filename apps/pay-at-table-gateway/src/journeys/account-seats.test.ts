import { expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createTestScope } from '@pos/store/testing';
import { AccountSeats } from './account-seats.js';

const LIMITS = { all: 5, ofOne: 3 };

function takeAll(seats: AccountSeats, scope: Scope, wanted: number): number {
  return Array.from({ length: wanted }, () => seats.take(scope)).filter((leave) => leave !== null).length;
}

test('one account gets its share and no more, the others what is left', () => {
  const seats = new AccountSeats(LIMITS);
  const [greedy, other] = [createTestScope(), createTestScope()];
  expect(takeAll(seats, greedy, 10)).toBe(3);
  expect(seats.full()).toEqual([greedy]);
  expect(seats.freeFor(other)).toBe(2);
  expect(takeAll(seats, other, 10)).toBe(2);
});

test('the sandbox of an account does not fill the places of its production', () => {
  const seats = new AccountSeats(LIMITS);
  const sandbox = createTestScope();
  takeAll(seats, sandbox, 3);
  expect(seats.freeFor({ ...sandbox, environment: 'production' })).toBe(2);
});

test('a place that is left is free again, once', () => {
  const seats = new AccountSeats(LIMITS);
  const scope = createTestScope();
  const leave = seats.require(scope);
  takeAll(seats, scope, 2);
  leave();
  leave();
  expect(seats.freeFor(scope)).toBe(1);
  expect(seats.full()).toEqual([]);
});

test('who finds no place is told to come again, and takes none', () => {
  const seats = new AccountSeats({ all: 5, ofOne: 1 });
  const scope = createTestScope();
  const leave = seats.require(scope);
  expect(() => seats.require(scope)).toThrow('8: too many payments');
  leave();
  expect(seats.freeFor(scope)).toBe(1);
});
