import { describe, expect, test } from '@jest/globals';
import { findPasswordChangeReason, findPasswordFaults } from './password-rules.js';

const OWNER = { email: 'ann.lee@corner-table.example', name: 'Ann Örtlund' };
const COMMON = new Set(['password', 'qwerty', 'qwertyuiop', 'letmein', '1q2w3e4r5t6y', 'trustno1', '123456789012']);
const [LENGTH, KINDS] = ['must be 12 to 200 characters', 'must have a letter and a digit'];
const UNIFORM = 'must have at least 5 different characters';
const IS_COMMON = 'is a common password, or one with a few characters added';
const SEQUENCE = 'must not be mostly a sequence or a repetition';
const OWN = 'must not contain your name or your e-mail address';
const SERVICE = 'must not contain the name of the service';

describe('a password is refused with everything that is wrong with it', () => {
  // oxfmt-ignore
  test.each<[string, string[]]>([
    ['',                              [LENGTH, KINDS, UNIFORM]],
    ['grey7heron4',                   [LENGTH]],
    [`${'grey7heron'.repeat(20)}4`,   [LENGTH]],
    ['grey heron lake',               [KINDS]],
    ['842605731964',                  [KINDS]],
    ['!!842605731964',                [KINDS]],
    ['aaaabbbb1111',                  [UNIFORM, SEQUENCE]],
    ['111111111111',                  [KINDS, UNIFORM, SEQUENCE]],
    ['password2026',                  [IS_COMMON]],
    ['Password2026!',                 [IS_COMMON]],
    ['2026-pAssWord',                 [IS_COMMON]],
    ['p4ssw0rd2026',                  [IS_COMMON]],
    ['p@$$w0rd-2026',                 [IS_COMMON]],
    ['ｐａｓｓｗｏｒｄ２０２６',          [IS_COMMON]],
    ['qwertyuiop12',                  [SEQUENCE, IS_COMMON]],
    ['qwertyqwerty1',                 [SEQUENCE, IS_COMMON]],
    ['1q2w3e4r5t6y',                  [SEQUENCE, IS_COMMON]],
    ['letmein!!!!!1',                 [IS_COMMON]],
    ['123456789012',                  [KINDS, SEQUENCE, IS_COMMON]],
    ['123456789012a',                 [SEQUENCE]],
    ['a123456789012',                 [SEQUENCE]],
    ['Lake12345678',                  [SEQUENCE]],
    ['98765432109heron',              [SEQUENCE]],
    ['１２３４５６７８９０１２a',            [SEQUENCE]],
    ['123-456-789-012a',              [SEQUENCE]],
    ['1-2-3-4-5-6-7a',                [SEQUENCE]],
    ['abcdefghijk7',                  [SEQUENCE]],
    ['zyxwvuts heron7',               [SEQUENCE]],
    ['абвгдежзик7л',                  [SEQUENCE]],
    ['a1b2c3d4e5f6g7',                [SEQUENCE]],
    ['asdfghjkl lake7',               [SEQUENCE]],
    ['lkjhgfdsa lake7',               [SEQUENCE]],
    ['qwertzuiop 9 x',                [SEQUENCE]],
    ['azertyuiop 9 x',                [SEQUENCE]],
    ['1qaz2wsx3edc',                  [SEQUENCE]],
    ['aaaaaaaa lake 7',               [SEQUENCE]],
    ['heron7heron7heron7',            [SEQUENCE]],
    ['grey7heron'.repeat(20),         [SEQUENCE]],
    ['heron 7 ann.lee',               [OWN]],
    ['Corner-Table 7',                [OWN]],
    ['grey örtlund 7',                [OWN]],
    ['grey 7 ÖRTLUND',                [OWN]],
    ['my portal key 7',               [SERVICE]],
    ['my p0rtal key 7',               [SERVICE]],
    ['payments 4 all',                [SERVICE]],
    ['portal',                        [LENGTH, KINDS, SERVICE]],
  ])('%j', (password, faults) => {
    expect(findPasswordFaults(password, OWNER, COMMON)).toEqual(faults);
  });
});

describe('a password is accepted', () => {
  test.each([
    ['a sentence with a digit', 'grey heron lake 7'],
    ['12 characters', 'grey7heron4x'],
    [
      '200 characters',
      Array.from({ length: 40 }, (_, at) => `${(at * 7919) % 9973}kv`.padStart(5, 'w'))
        .join('')
        .slice(0, 200),
    ],
    ['a short sequence among words', 'grey heron 1234'],
    ['words with neighbours on the keyboard', 'first referee were 7'],
    ['a sequence that is less than half', '12345 herons'],
    ['a word that is said twice', 'lake lake heron 7'],
    ['letters and digits of other scripts', 'λίμνη ερωδιός ٧'],
    ['a word of the list among others', 'the qwerty lake 7'],
    ['short parts of the name', 'cannot bee plan 7'],
    ['the suffix of the domain', 'an example lake 7'],
  ])('with %s', (_, password) => {
    expect(findPasswordFaults(password, OWNER, COMMON)).toEqual([]);
  });
});

describe('the password must be changed', () => {
  // oxfmt-ignore
  test.each([
    [{ isTemporary: true,  ageMs: 0 },   100,  'firstUse'],
    [{ isTemporary: true,  ageMs: 0 },   null, 'firstUse'],
    [{ isTemporary: true,  ageMs: 101 }, 100,  'firstUse'],
    [{ isTemporary: false, ageMs: 101 }, 100,  'age'],
    [{ isTemporary: false, ageMs: 100 }, 100,  null],
    [{ isTemporary: false, ageMs: 101 }, null, null],
  ])('%j with an age of %s: %s', (password, maxAgeMs, reason) => {
    expect(findPasswordChangeReason(password, maxAgeMs)).toBe(reason);
  });
});
