import { expect, test } from '@jest/globals';
import { createFaultPoint } from './fault-point.js';

test.each([
  // NODE_ENV       FAULT_POINT        passes                                    killed at
  ['test', 'after-booking', ['after-booking'], [0]],
  ['test', 'after-booking:3', ['after-booking', 'after-booking', 'after-booking', 'after-booking'], [2]],
  ['test', 'after-booking', ['before-booking', 'after-booking-too'], []],
  ['test', 'after-booking:2', ['after-booking', 'other', 'after-booking'], [2]],
  ['test', undefined, ['after-booking'], []],
  ['test', '', ['after-booking'], []],
  ['production', 'after-booking', ['after-booking'], []],
  ['development', 'after-booking', ['after-booking'], []],
  [undefined, 'after-booking', ['after-booking'], []],
])('NODE_ENV %s and FAULT_POINT %s', (environment, point, passes, killedAt) => {
  const kills: number[] = [];
  let now = 0;
  const fault = createFaultPoint({ NODE_ENV: environment, FAULT_POINT: point }, () => kills.push(now));
  passes.forEach((name, pointName) => {
    now = pointName;
    fault(name);
  });
  expect(kills).toEqual(killedAt);
});

test.each(['after booking', 'x:0', 'x:-1', 'x:y', ':1'])('an invalid fault point stops the start: %s', (point) => {
  expect(() => createFaultPoint({ NODE_ENV: 'test', FAULT_POINT: point })).toThrow('FAULT_POINT');
});
