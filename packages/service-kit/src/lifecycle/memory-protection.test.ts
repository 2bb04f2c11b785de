import { expect, test } from '@jest/globals';
import { findForbiddenOptions } from './memory-protection.js';

test.each([
  '--abort-on-uncaught-exception',
  '--abort_on_uncaught_exception',
  '--inspect',
  '--inspect=0.0.0.0:9229',
  '--inspect-brk',
  '--inspect_brk=9229',
  '--inspect-wait',
  '--inspect-port=9229',
  '--debug-port=9229',
  '--heapsnapshot-signal=SIGUSR2',
  '--heapsnapshot-near-heap-limit=1',
  '--cpu-prof',
  '--heap-prof',
  '--heap_prof',
  '--report-on-fatalerror',
  '--report-on-signal',
  '--report-uncaught-exception',
  '--tls-keylog=keys.log',
])('%s is refused in production, from the command line and from NODE_OPTIONS', (option) => {
  const name = option.split('=')[0]!.replaceAll('_', '-');
  const problemText = `${name} must not be set in production: it shows or writes memory`;
  expect(findForbiddenOptions({ env: {}, execArgv: ['--enable-source-maps', option] })).toEqual([
    `node options: ${problemText}`,
  ]);
  for (const written of [option, ` --no-warnings  ${option}`, `"${option}" --no-warnings`]) {
    expect(findForbiddenOptions({ env: { NODE_OPTIONS: written }, execArgv: [] })).toEqual([
      `NODE_OPTIONS: ${problemText}`,
    ]);
  }
});

test.each([
  [''],
  ['--enable-source-maps'],
  ['--max-old-space-size=512'],
  ['--report-on-fatalerror --report-exclude-env'],
  ['--report-dir=/var/log'],
  ['--cpu-prof-dir=/tmp'],
  ['--disable-sigusr1'],
  ['--import ./inspect.js'],
])('%j is accepted', (options) => {
  expect(findForbiddenOptions({ env: { NODE_OPTIONS: options }, execArgv: options.split(' ') })).toEqual([]);
});
