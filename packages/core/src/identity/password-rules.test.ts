import { describe, expect, test } from '@jest/globals';
import { findPasswordChangeReason, findPasswordFaults } from './password-rules.js';

const OWNER = { email: 'ann.lee@corner-table.example', name: 'Ann Örtlund' };
const COMMON = new Set(['password', 'qwerty', 'qwertyuiop', 'letmein', '1q2w3e4r5t6y', 'trustno1', '123456789012']);
const [LENGTH, KINDS] = ['must be 12 to 200 characters', 'must have a letter and a digit'];
const UNIFORM = 'must have at least 5 different characters';
const IS_COMMON = 'is a common password, or one with a few characters added';
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
    ['aaaabbbb1111',                  [UNIFORM]],
    ['111111111111',                  [KINDS, UNIFORM]],
    ['password2026',                  [IS_COMMON]],
    ['Password2026!',                 [IS_COMMON]],
    ['2026-pAssWord',                 [IS_COMMON]],
    ['p4ssw0rd2026',                  [IS_COMMON]],
    ['p@$$w0rd-2026',                 [IS_COMMON]],
    ['ｐａｓｓｗｏｒｄ２０２６',          [IS_COMMON]],
    ['qwertyuiop12',                  [IS_COMMON]],
    ['qwertyqwerty1',                 [IS_COMMON]],
    ['1q2w3e4r5t6y',                  [IS_COMMON]],
    ['letmein!!!!!1',                 [IS_COMMON]],
    ['123456789012',                  [KINDS, IS_COMMON]],
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
    ['200 characters', 'grey7heron'.repeat(20)],
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
