import type { DevJson } from './dev-json.js';

/** What a developer sees when everything serves: where it is, a key, and three things to try. */
export function banner({ apiKey, urls, resellerId, softwareHouseId }: DevJson, tradingName: string): string {
  const addresses: [string, string][] = [
    ['Payments API', urls.api],
    ['  its contract', `${urls.api}/openapi.json`],
    ['Card vault', urls.cardVault],
    ['Pay at table, gRPC', urls.gatewayGrpc],
    ['EPOS tester', urls.eposTester],
    ['Sandbox control', urls.sandbox],
    ['A sandbox key', apiKey],
  ];
  const shown = addresses
    .filter(([, address]) => address !== '')
    .map(([name, address]) => `  ${name.padEnd(20)}${address}`);
  return `
  Ready. This is ${tradingName}, with ten card machines and open tables.

${shown.join('\n')}

  Three things to try, in another terminal:
    1. npm run demo                    a bill is paid at the table in two parts, with tips, and webhooks arrive
    2. curl ${urls.sandbox}/accounts
                                       who stands in the simulated world
    3. curl ${urls.api}/terminals -H 'version: 2026-02-27' -H 'Authorization: Basic ${apiKey}' \\
         -H 'software-house-id: ${softwareHouseId}' -H 'reseller-id: ${resellerId}'
                                       the card machines of this account

  What a program needs to know is in .data/dev.json; logs are in .data/logs. Ctrl-C stops everything.
`;
}
