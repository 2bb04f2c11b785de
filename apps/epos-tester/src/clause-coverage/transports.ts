import type { Skip } from '@pos/conformance/records';
import type { EposCapability } from '@pos/core/tables';
import type { Flow } from '../flow-context/flow.js';
import { DATA_FLOWS } from '../flows/flows.js';

/** The transports that flows can use, by name. The account's default has no name here. */
export const GROUP_TRANSPORTS = ['rest', 'ws', 'tables-ws', 'grpc-dialled', 'grpc-stream'] as const;
export type GroupTransport = (typeof GROUP_TRANSPORTS)[number];

/** What an EPOS supports: its transports, and its registered capabilities of the EPOS Data API. */
export interface ServedCalls {
  readonly transports: ReadonlySet<GroupTransport>;
  readonly capabilities: ReadonlySet<EposCapability>;
}

/** Why the flow does not apply to this EPOS over this transport; null when it does. */
export function findSkip(flow: Flow, transport: GroupTransport, served: ServedCalls): Skip | null {
  const reason = findUnsupportedReason(flow, transport, served);
  return reason === null ? null : { kind: 'not applicable', reason };
}

function findUnsupportedReason(flow: Flow, transport: GroupTransport, served: ServedCalls): string | null {
  const isData = DATA_FLOWS.includes(flow);
  if (transport !== 'rest' && transport !== 'ws') {
    return isData ? `It is a flow of the EPOS Data API, which is not spoken over ${transport}.` : null;
  }
  if (flow.whyNotOverOrders !== undefined) return flow.whyNotOverOrders;
  const missing = flow.needs.filter((each) => !served.capabilities.has(each));
  if (missing.length > 0) return `It needs what the EPOS does not offer: ${missing.join(', ')}.`;
  const needed = NEEDS.get(flow.name);
  if (needed === undefined || served.transports.has(needed)) return null;
  return NEEDS_SAID[needed];
}

/** The flows that need a particular transport. */
const NEEDS = new Map<string, 'rest' | 'ws'>([
  ['bad-credentials', 'rest'],
  ['reconnect', 'ws'],
]);
const NEEDS_SAID = {
  rest: 'It shows a wrong password, and the EPOS is not called at an address.',
  ws: 'It closes the socket of the EPOS, and the EPOS opens none.',
} as const;
