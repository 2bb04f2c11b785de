import path from 'node:path';
import { type DevJson, getDevJsonPath } from './dev-json.js';

const TEST_CARD = '4456 5300 0009 1014, 12/32, 020';

/** The summary for a developer when everything is ready: addresses, a key, and three things to try. */
export function formatBanner(
  { apiKey, urls, portal, resellerId, softwareHouseId, restaurants, tls }: DevJson,
  dataDir: string,
): string {
  const addresses: [string, string][] = [
    ['Play a restaurant', urls.start],
    ['  waiter', urls.waiter],
    ['  kitchen', urls.kitchen],
    ['Payments API', urls.api],
    ['  its contract', `${urls.api}/openapi.json`],
    ['Portal', urls.portal],
    ['  sign in as', `${portal.admin.email}  ${portal.admin.password}`],
    ['  or, as operator', `${portal.operator.email}  ${portal.operator.password}`],
    ['Card vault', urls.cardVault],
    ['Pay at table, gRPC', urls.gatewayGrpc],
    ['  and WebSocket', urls.gatewayWs],
    ['Payment pages', urls.checkout],
    ['EPOS tester', urls.eposTester],
    ['Sandbox control', urls.sandbox],
    ['A sandbox key', apiKey],
  ];
  const shown = addresses
    .filter(([, address]) => address !== '')
    .map(([name, address]) => `  ${name.padEnd(20)}${address}`);
  const curl = tls === null ? 'curl' : `curl --cacert ${tls.ca}`;
  const ways = restaurants.map(({ name, way, wayInWords }) => `  ${name.padEnd(18)}${way.padEnd(13)}${wayInWords}`);
  return `
  Ready. This is ${restaurants[0]?.tradingName ?? 'a restaurant'}, with ten card machines and open tables.

${shown.join('\n')}

  ${restaurants.length} restaurants, each with another way to its EPOS; their keys are in ${getDevJsonPath(dataDir)}:
${ways.join('\n')}

  Open ${urls.start} and take a card payment, or try three things in another terminal:
    1. npm run demo                    a bill is paid at the table in two parts, with tips, and webhooks arrive
       npm run demo -- ${restaurants.at(-1)?.name ?? ''}     the same at another restaurant
    2. ${curl} ${urls.api}/payment-intents -H 'version: 2026-02-27' -H 'Authorization: Basic ${apiKey}' \\
         -H 'content-type: application/json' -d '{"amount": {"value": 1250, "currencyCode": "GBP"}, "reference": "table 4"}'
                                       a payment: open its paymentLink and pay with card ${TEST_CARD}
    3. ${curl} ${urls.api}/terminals -H 'version: 2026-02-27' -H 'Authorization: Basic ${apiKey}' \\
         -H 'software-house-id: ${softwareHouseId}' -H 'reseller-id: ${resellerId}'
                                       the card machines of this account

  What a program needs to know is in ${getDevJsonPath(dataDir)}; logs are in ${path.join(dataDir, 'logs')}. Ctrl-C stops everything.
`;
}
