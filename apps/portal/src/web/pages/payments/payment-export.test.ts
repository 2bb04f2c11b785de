import { describe, expect, test } from '@jest/globals';
import { buildPaymentsCsv, formatRow, type PaymentsOfPage } from './payment-export.js';

test.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "x"'], '"a,b","say ""x"""'],
  [['two\nlines'], '"two\nlines"'],
  // A spreadsheet would run these.
  [['=HYPERLINK("https://x.example")'], `"'=HYPERLINK(""https://x.example"")"`],
  [['+1', '-1', '@x'], `'+1,'-1,'@x`],
])('the cells %j are the line %j', (cells, line) => {
  expect(formatRow(cells)).toBe(line);
});

describe('a file of payments', () => {
  const PAGE_SIZE = 100;
  const PAYMENT = {
    ...{ id: 'pi_1', createdAt: '2026-03-01T12:00:00.000Z', status: 'Captured', refundedAmount: 0 },
    ...{ totalAmount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4', paymentSource: 'api' },
  } as unknown as PaymentsOfPage['data'][number];
  const listRows = async (pages: number, failsAt = Infinity): Promise<string[]> => {
    let read = 0;
    const csv = await buildPaymentsCsv(async (after) => {
      expect(after).toBe(read === 0 ? null : `page-${read}`);
      if (read === failsAt) throw new Error('the service is away');
      read += 1;
      return { data: Array.from({ length: PAGE_SIZE }, () => PAYMENT), after: read < pages ? `page-${read}` : null };
    }, 'INCOMPLETE');
    return csv.split('\r\n').slice(1, -1);
  };

  test('has a row for each payment, and no other where it is whole', async () => {
    const rows = await listRows(3);
    expect(rows).toHaveLength(300);
    expect(new Set(rows)).toEqual(new Set(['pi_1,2026-03-01T12:00:00.000Z,Captured,1250,0,0,GBP,table 4,api,']));
  });

  test.each([
    ['there are more payments than a file has rows', 60, undefined, 5_000],
    ['a page cannot be read', 60, 2, 200],
  ] as const)('ends with a row that says so where %s', async (_, pages, failsAt, count) => {
    const rows = await listRows(pages, failsAt);
    expect([rows.length, rows.at(-1)]).toEqual([count + 1, 'INCOMPLETE']);
  });

  test('is not saved where not even its first page can be read', async () => {
    await expect(listRows(1, 0)).rejects.toThrow('the service is away');
  });
});
