import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../../repository/repository.js';
import { listBundledApps } from './compile.js';

test.each([
  [['apps/checkout/src/page/style/form.css'], ['apps/checkout']],
  [['apps/checkout/src/page/main.ts', 'apps/checkout/src/page/index.html'], ['apps/checkout']],
  [
    ['apps/card-vault/src/frame/page/main.ts', 'apps/checkout/src/page/checkout.ts'],
    ['apps/card-vault', 'apps/checkout'],
  ],
  // The server of a page, another app, and a folder of that name in an app without a bundle.
  [['apps/checkout/src/checkout-page.ts', 'apps/card-vault/src/frame/card-frame.ts'], []],
  [['apps/sandbox/src/pages/wallet-page.ts', 'apps/api/src/page/x.ts', 'packages/core/src/page/x.ts'], []],
  [[], []],
])('after a change of %j the pages of %j are bundled', (files, apps) => {
  expect(listBundledApps(files.map((file) => path.join(REPOSITORY, file)))).toEqual(apps);
});
