import { expect, test } from '@jest/globals';
import { readBrowserName } from './browser-name.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

// oxfmt-ignore
test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',          'Firefox 147', 'Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome 143', 'Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge 143', 'Windows'],
  [`${MAC} ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 OPR/127.0.0.0`,                     'Opera 127', 'macOS'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,      'Safari 18', 'macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1', 'Safari 18', 'iOS'],
  [`Mozilla/5.0 (Linux; Android 15; SM-S921B) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'Samsung Internet 28', 'Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome 143', 'ChromeOS'],
  ['curl/8.14.1',                                                                       null, null],
  ['',                                                                                  null, null],
  ['Firefox',                                                                           null, null],
  ['Linux',                                                                             null, 'Linux'],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(readBrowserName(userAgent)).toEqual({ browser, system });
});
