import { keyed } from '@pos/core/refusal';
import type { Flow } from './flow.js';
import { LOCK_FLOWS } from './flows/lock-rules.js';
import { METHOD_FLOWS } from './flows/methods.js';
import { PAY_FLOWS } from './flows/paying.js';
import { RECORD_FLOWS } from './flows/record-rules.js';
import { UNKNOWN_FLOWS } from './flows/unknown.js';

/** Every flow, in the order in which an EPOS is best tried. */
export const FLOWS: readonly Flow[] = [...METHOD_FLOWS, ...PAY_FLOWS, ...LOCK_FLOWS, ...RECORD_FLOWS, ...UNKNOWN_FLOWS];

/** The flow of that name; refuses an unknown one. */
export function getFlow(name: string): Flow {
  const flow = FLOWS.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (flow === undefined) throw keyed('validation_failed', 'flow', 'Is not the name of a flow.');
  return flow;
}
