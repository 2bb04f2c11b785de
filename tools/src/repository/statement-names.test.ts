import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';
import { findMisnamedStatements, listStatements } from './statement-names.js';

const isProduct = ({ file }: { readonly file: string }): boolean =>
  /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file) && !/\/testing\/|\.test\.ts$/.test(file);
const sources = readTree(REPOSITORY).filter(isProduct);

test('each SQL statement of the service is named as the function that sends it', () => {
  expect(findMisnamedStatements(sources)).toEqual([]);
  expect(listStatements(sources).length).toBeGreaterThan(300);
});

const FILE = 'packages/store/src/bills.ts';
const define = (label: string, constant = 'PAY'): string =>
  `const ${constant} = defineStatement('${label}', 'select 1');`;
const send = (name: string, ...constants: string[]): string =>
  `function ${name}(tx) { tx.query(${constants.join(', ')}); }`;

// oxfmt-ignore
test.each([
  ['another name than its function', [define('bill_pay'), send('payBill', 'PAY')], ['bill_pay, not pay_bill']],
  ['a name of the field that is no verb', [define('paid'), send('payBill', 'PAY')], ['paid, not pay_bill']],
  ['no object after a function of one word', [define('claim'), send('claim', 'PAY')], ['claim, not claim_object']],
  ['no verb, beside another statement', [define('lock_bill', 'LOCK'), define('bill_paid'), send('payBill', 'LOCK', 'PAY')], ['bill_paid, not verb_object']],
  ['no verb, and two senders', [define('bill_paid'), send('payBill', 'PAY'), send('payBills', 'PAY')], ['bill_paid, not verb_object']],
  ['the label of another one', [define('pay_bill'), define('pay_bill', 'PAY_TOO'), send('payBill', 'PAY'), send('payBills', 'PAY_TOO')], ['pay_bill, which another statement has', 'pay_bill, which another statement has']],
])('a statement is found that has %s', (_, lines, expected) => {
  const found = findMisnamedStatements([{ file: FILE, text: lines.join('\n') }]);
  expect(found.map((each) => each.replace(/^\S+ /, ''))).toEqual(expected);
});

// oxfmt-ignore
test.each([
  ['the name of its function', [define('pay_bill'), send('payBill', 'PAY')]],
  ['the name of its method', [define('pay_bill'), 'class Bills { async #payBill() { await this.tx.query(PAY); } }']],
  ['an object after a method of one word', [define('claim_bills'), 'class Bills { async claim() { await this.tx.query(PAY); } }']],
  ['verb and object beside another statement', [define('lock_bill', 'LOCK'), define('write_payment'), send('payBill', 'LOCK', 'PAY')]],
])('a statement may have %s', (_, lines) => {
  expect(findMisnamedStatements([{ file: FILE, text: lines.join('\n') }])).toEqual([]);
});
