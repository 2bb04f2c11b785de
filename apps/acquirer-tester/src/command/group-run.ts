import { type FlowRecord, type GroupRecord, runInOrder, type Skip } from '@pos/conformance/records';
import type { Capabilities } from '@pos/grpc-contracts/acquirer';
import { createLog, readProductVersion } from '@pos/service-kit/telemetry';
import { randomUUID } from 'node:crypto';
import type { AdapterConnection } from '../acquirer/acquirer-connection.js';
import { CONTRACT, TRANSPORT } from '../clause-coverage/catalogue.js';
import type { Profile } from '../profile/profile.js';
import { playFlow } from '../runs/play.js';
import { OLDER_ADAPTER } from '../scene/capability-names.js';
import { type Flow, skipInapplicable, type Subject } from '../scene/flow.js';
import { FlowContext } from '../scene/flow-context.js';

/** An adapter that can be called, and the flows to play. */
export interface AdapterRun {
  /** As the user named it. */
  readonly acquirer: string;
  readonly connection: AdapterConnection;
  readonly profile: Profile;
  readonly hasCredential: boolean;
  readonly flows: readonly Flow[];
  readonly onPlayed?: (record: FlowRecord) => void;
  readonly stop: AbortSignal;
  /** The current time, for the reports. */
  readonly now: () => Date;
}

/** Asks the adapter what it can do, and plays the flows one after the other. */
export async function runFlows(run: AdapterRun): Promise<GroupRecord> {
  const { connection, profile, stop, now, onPlayed } = run;
  const log = createLog({ app: 'acquirer-tester', level: 'fatal' });
  const startedAt = now().toISOString();
  const startedMs = performance.now();
  const capabilities = await readCapabilities(connection);
  const runId = randomUUID().slice(0, 13);
  const chosen = run.flows.map((flow, index) => ({
    ...{
      transport: TRANSPORT,
      flow,
      skip: findSkip(flow, { profile, hasCredential: run.hasCredential, capabilities }),
    },
    prefix: `t-${runId}-${index}`,
  }));
  const flows = await runInOrder(chosen, {
    ...(onPlayed !== undefined && { onPlayed }),
    stop,
    play: ({ flow, prefix }) => {
      const scene = new FlowContext({ connection, profile, capabilities, prefix });
      return playFlow(flow, { scene, stop, log, startedAt: now().toISOString() });
    },
  });
  const tookMs = Math.round(performance.now() - startedMs);
  const facts = describeRun(capabilities);
  return { subject: run.acquirer, startedAt, tookMs, flows, facts, wasStopped: stop.aborted };
}

/** The names and versions in the head of a report, as the adapter declares them. */
function describeRun({ adapterName, adapterVersion }: Capabilities): Readonly<Record<string, string>> {
  return {
    'Adapter name': adapterName === '' ? 'not declared' : adapterName,
    'Adapter version': adapterVersion === '' ? 'not declared' : adapterVersion,
    Contract: CONTRACT,
    'Tester version': readProductVersion(),
  };
}

/** What the adapter declares. One that does not answer is treated as older, and its flow reports it. */
async function readCapabilities(connection: AdapterConnection) {
  const answer = await connection.getCapabilities();
  return answer.kind === 'content' && answer.content !== null ? answer.content : OLDER_ADAPTER;
}

function findSkip(flow: Flow, subject: Subject): Skip | null {
  const missing = flow.needs.filter((name) => !subject.capabilities[name]);
  if (missing.length > 0) return skipInapplicable(`It needs what the adapter does not declare: ${missing.join(', ')}.`);
  return flow.findSkip?.(subject) ?? null;
}
