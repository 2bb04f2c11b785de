import { expect, test } from '@jest/globals';
import { money } from '../money/money.js';
import { formatPartnerReport, PartnerTotals, type PartnerTurnover } from './partner-report.js';

const turnover = (
  [softwareHouseId, resellerId]: [string | null, string | null],
  { currency = 'GBP', taken = 0, returned = 0 }: { currency?: string; taken?: number; returned?: number },
): PartnerTurnover => ({
  partners: { softwareHouseId, resellerId },
  ...{ paymentCount: taken === 0 ? 0 : 1, taken: money(taken, currency) },
  ...{ refundCount: returned === 0 ? 0 : 1, returned: money(returned, currency) },
});

test('turnovers are summed by kind, partner and currency, and counted once for each kind', () => {
  const totals = new PartnerTotals();
  totals.addTurnover(turnover(['house-1', 'reseller-1'], { taken: 1_000 }));
  totals.addTurnover(turnover(['house-1', 'reseller-2'], { taken: 500, returned: 700 }));
  totals.addTurnover(turnover(['house-1', null], { taken: 900, currency: 'JPY' }));
  const lines = totals
    .listLines()
    .map(({ kind, partnerId, net, paymentCount }) => [kind, partnerId, net.value, net.currencyCode, paymentCount]);
  expect(lines).toEqual([
    ['software-house', 'house-1', 800, 'GBP', 2],
    ['software-house', 'house-1', 900, 'JPY', 1],
    ['reseller', null, 900, 'JPY', 1],
    ['reseller', 'reseller-1', 1_000, 'GBP', 1],
    ['reseller', 'reseller-2', -200, 'GBP', 1],
  ]);
});

test('the CSV has amounts in major units with the decimals of their currency, and no formulas', () => {
  const totals = new PartnerTotals();
  totals.addTurnover(turnover(['=1+1', null], { taken: 1_250, returned: 1_300 }));
  totals.addTurnover(turnover(['a,"b"', null], { taken: 1_250, currency: 'JPY' }));
  totals.addTurnover(turnover(['kuwait', null], { taken: 1_250, currency: 'KWD' }));
  const houses = totals.listLines().filter(({ kind }) => kind === 'software-house');
  const named = houses.map((line) => ({ ...line, name: 'Tills', status: 'Active' as const }));
  expect(formatPartnerReport(named).split('\r\n')).toEqual([
    'kind,partner,name,status,currency,payments,taken,refunds,returned,net',
    `software-house,'=1+1,Tills,Active,GBP,1,12.50,1,13.00,-0.50`,
    'software-house,"a,""b""",Tills,Active,JPY,1,1250,0,0,1250',
    'software-house,kuwait,Tills,Active,KWD,1,1.250,0,0.000,1.250',
    '',
  ]);
});
