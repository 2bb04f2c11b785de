import { toggle } from '@pos/command-line';
import type { OperatorApproval } from '@pos/core/administration';
import { decideAboutOperator, listSecondOperatorRequests, requireSecondOperators } from '@pos/administration/four-eyes';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { text } from '../command/flags.js';
import { toTable } from '../command/result-lines.js';

const EXAMPLE_ID = '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f';
const id = () => text('The request.', 'id');

const listAll = defineQuery({
  path: 'approval list',
  examples: ['approval list'],
  flags: {},
  async run(session) {
    const { isRequired, now, requests } = await listSecondOperatorRequests(await session.openDatabase());
    const rows = requests.map((each) => [
      ...[each.id, describeState(each, now), each.source, each.requestedBy, each.operation],
      JSON.stringify(each.target),
    ]);
    const head = ['REQUEST', 'STATE', 'SOURCE', 'REQUESTED BY', 'OPERATION', 'TARGET'];
    const rule = isRequired ? 'a second operator is required' : 'no second operator is required';
    return {
      data: { isRequired, requests: requests.map((each) => ({ ...present(each), state: describeState(each, now) })) },
      lines: [rule, ...toTable(head, rows, 'there are no requests')],
    };
  },
});

const approve = defineChange({
  path: 'approval approve',
  details: [
    'Refused are the requester, another name of the same user of the operating system, and requests of the portal, which are decided there.',
    'The requester runs the same command again within 24 hours of the request, and receives its secrets.',
  ],
  examples: [`approval approve --id ${EXAMPLE_ID} --reason "ticket 512, called ann"`],
  flags: { id: id() },
  async run(session, { values, change }) {
    const decision = { id: values.id, isApproved: true };
    const approval = await decideAboutOperator(await session.openDatabase(), change, decision);
    const line = `approved ${approval.operation} of ${approval.requestedBy}: ${JSON.stringify(approval.target)}`;
    return { data: present(approval), lines: [line] };
  },
});

const refuse = defineChange({
  path: 'approval refuse',
  examples: [`approval refuse --id ${EXAMPLE_ID} --reason "no ticket"`],
  flags: { id: id() },
  async run(session, { values, change }) {
    const decision = { id: values.id, isApproved: false };
    const approval = await decideAboutOperator(await session.openDatabase(), change, decision);
    return { data: present(approval), lines: [`refused ${approval.operation} of ${approval.requestedBy}`] };
  },
});

const decideRule = defineChange({
  path: 'approval require',
  details: [
    'A new database requires none. It can be required once two operators of the portal are active.',
    'To stop it needs a second operator itself. `--as-owner` connects with DATABASE_OWNER_URL and needs none: the way out if the second operator is not available.',
  ],
  examples: ['approval require --reason "PCI DSS 7.2.3"', 'approval require --off --as-owner --reason "incident 12"'],
  flags: {
    off: toggle('Stops to require a second operator.'),
    asOwner: toggle('Connects as the owner of the database.'),
  },
  async run(session, { values, change }) {
    const database = await session.openDatabase({ isOwner: values.asOwner });
    const isRequired = !values.off;
    await requireSecondOperators(database, change, { isRequired, isOwner: values.asOwner });
    const line = isRequired ? 'a second operator is required from now on' : 'no second operator is required any more';
    return { data: { isRequired }, lines: [line] };
  },
});

function describeState({ state, expiresAt }: OperatorApproval, now: Date): string {
  return (state === 'Waiting' || state === 'Approved') && expiresAt <= now ? 'Expired' : state;
}

function present(approval: OperatorApproval) {
  const { actionHash, operatingSystem, ...shown } = approval;
  return { ...shown, actionHash: actionHash.toString('hex'), operatingSystem };
}

export const APPROVAL_COMMANDS: readonly CommandDefinition[] = [listAll, approve, refuse, decideRule];
