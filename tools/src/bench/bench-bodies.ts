import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/client-payments';
import type { Operation } from '@pos/rest-contracts/operation';
import { readBody } from '@pos/rest-contracts/reading';
import { parseJson } from '@pos/service-kit/body';
import { canonicalJson } from '@pos/service-kit/idempotency';
import { worstBodies } from './worst-bodies.js';

// How long the worst bodies of each operation keep a process from everything else: run it by `pnpm bench:bodies`. It calls
// what a request calls between its arrival and its controller, all of which runs without a pause.

const AIM_MS = 50;
const MOST_MS = 200;
const WORST_COUNT = 20;
const TURNS = 3;

let longest = 0;
const startBytes = process.memoryUsage().rss;
for (const [app, operations] of [
  ['api', API_OPERATIONS],
  ['card-vault', CARD_VAULT_OPERATIONS],
] as const) {
  for (const operation of operations) {
    if (operation.body === undefined) continue;
    const stalls = worstBodies(operation.body).map(({ name, json }) => ({ name, ...measure(operation, json) }));
    stalls.sort((one, other) => other.ms - one.ms);
    const [worst] = stalls.slice(0, WORST_COUNT);
    if (worst === undefined) continue;
    longest = Math.max(longest, worst.ms);
    const verdict = worst.ms > MOST_MS ? 'TOO LONG' : worst.ms > AIM_MS ? 'above the aim' : '';
    const kind = worst.isAccepted ? 'accepted' : 'refused';
    console.log(`${app} ${operation.id}: ${worst.ms.toFixed(1)} ms, ${kind}: ${worst.name} ${verdict}`.trimEnd());
  }
}
const grownMegabytes = (process.memoryUsage().rss - startBytes) / 1024 / 1024;
console.log(`longest stall ${longest.toFixed(1)} ms; resident memory grew by ${grownMegabytes.toFixed(0)} MB`);
if (longest > MOST_MS) process.exitCode = 1;

/** The median CPU time of a few turns, which is the stall on a machine that is not busy with anything else. */
function measure({ body }: Operation, json: string): { readonly ms: number; readonly isAccepted: boolean } {
  const bytes = Buffer.from(json);
  let isAccepted = false;
  const turns = Array.from({ length: TURNS }, () => {
    const before = process.cpuUsage();
    try {
      const sent = parseJson(bytes);
      canonicalJson(sent);
      isAccepted = body !== undefined && readBody(body, sent).ok;
    } catch {
      isAccepted = false;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return { ms: turns.sort((one, other) => one - other)[1] ?? 0, isAccepted };
}
