import { toggle } from '@pos/command-line';
import { getEposStatus } from '@pos/administration/accounts';
import { listAccountDeadLetters, replayAllDeadLetters, replayDeadLetter } from '@pos/administration/pending-work';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, environment, optional, text, wholeNumber, withDefault, WrongUse } from '../command/flags.js';
import { formatMoment, formatValue, toTable } from '../command/result-lines.js';

const eposStatus = defineQuery({
  path: 'epos status',
  examples: ['epos status --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const status = await session.read(values, getEposStatus);
    const connections = status.connections.map(({ kind, gatewayAddress, seenAt }) => [
      ...['connected', kind, `gateway ${gatewayAddress}`],
      `last heartbeat ${formatMoment(seenAt)}`,
    ]);
    const registrations = status.registrations.map(({ kind, url, capabilities }) => [
      ...['registered', kind, formatValue(url)],
      `${capabilities.length} capabilities`,
    ]);
    const calls = status.lastCalls.map(({ kind, state, at, lastError }) => [
      ...['called', kind, `${state} ${formatMoment(at)}`],
      lastError ?? '',
    ]);
    const rows = [...connections, ...registrations, ...calls];
    const isReachable = status.connections.length > 0 || status.registrations.some(({ url }) => url !== null);
    return {
      data: status,
      lines: [
        ...toTable(['', 'KIND', 'WHERE', ''], rows, 'the EPOS has never connected or registered'),
        ...(isReachable ? [] : ['the EPOS is not connected, and has no address to be called at']),
      ],
      hasFindings: !isReachable,
    };
  },
});

const deadLetters = defineQuery({
  path: 'webhooks dead-letters',
  examples: ['webhooks dead-letters --account acc_...'],
  flags: {
    account: account(),
    environment: environment(),
    limit: withDefault(wholeNumber('The most to list.', { min: 1, max: 1_000 }), '50'),
  },
  async run(session, { values }) {
    const letters = await session.read(values, (reader) => listAccountDeadLetters(reader, values.limit));
    const rows = letters.map(({ id, event, attempts, lastStatus, lastError, url, updatedAt }) => [
      ...[id, event, formatMoment(updatedAt), String(attempts)],
      `${formatValue(lastStatus ?? lastError)} from ${url}`,
    ]);
    const headings = ['DELIVERY', 'EVENT', 'LAST ATTEMPT', 'ATTEMPTS', 'ANSWER'];
    return { data: letters, lines: toTable(headings, rows, 'there are no dead letters') };
  },
});

const replay = defineChange({
  path: 'webhooks replay',
  details: ['They are sent beside live events, with all their attempts.'],
  examples: [
    'webhooks replay --account acc_... --delivery dlv_... --reason "receiver fixed"',
    'webhooks replay --account acc_... --all --reason "receiver fixed"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    delivery: optional(text('The delivery.', 'dlv_...')),
    all: toggle('All dead letters of the account.'),
  },
  async run(session, { values, change }) {
    const { delivery, all } = values;
    if ((delivery === undefined) !== all) {
      throw new WrongUse('--delivery or --all must be given, and not both');
    }
    const queued = await session.transact(values, async (tx) => {
      if (delivery === undefined) return replayAllDeadLetters(tx, change);
      await replayDeadLetter(tx, change, delivery);
      return 1;
    });
    return { data: { queued }, lines: [`${queued} queued`] };
  },
});

export const DELIVERY_COMMANDS: readonly CommandDefinition[] = [eposStatus, deadLetters, replay];
