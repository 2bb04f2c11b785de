import { expect, test } from '@jest/globals';
import { findBrowserOpener } from './browser-opener.js';

const AT_DESK = { DISPLAY: ':0' };

test.each([
  ['darwin', {}, true, 'open'],
  ['linux', AT_DESK, true, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true, 'xdg-open'],
  ['darwin', { CI: 'true' }, true, null],
  ['linux', { ...AT_DESK, CI: '1' }, true, null],
  ['linux', {}, true, null],
  ['linux', { DISPLAY: '' }, true, null],
  ['linux', AT_DESK, false, null],
  ['darwin', {}, false, null],
  ['darwin', { OPEN_BROWSER: 'false' }, true, null],
  ['darwin', { SSH_CONNECTION: '10.0.0.1 22' }, true, null],
  ['win32', AT_DESK, true, null],
] as const)('on %s with %j, read by a person: %s, a browser is opened by %s', (platform, env, isTerminal, opener) => {
  expect(findBrowserOpener({ env, platform, isTerminal })).toBe(opener);
});
