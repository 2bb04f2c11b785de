import { status } from '@grpc/grpc-js';
import type { AccountCache } from '@pos/payments/accounts';
import { createTablesFailure, type GrpcCall, GrpcFailure } from '@pos/service-kit/grpc';
import type { Database } from '@pos/store/database';
import type { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { describeEarlyEnd } from '../epos-calls/call-failure.js';
import type { TablesAnswer, TablesCall, TablesCallName, TablesOutcome } from '../epos-calls/tables-call.js';
import { toNoAnswerFailure, toRefusalFailure } from '../epos-calls/epos-failure.js';
import { findAnswerViolation, withoutUnusableBills } from './answer-violation.js';
import { replaceUnknownValues } from './unknown-values.js';

type TablesCallByName<Name extends TablesCallName> = Extract<TablesCall, { $case: Name }>;
type TablesAnswerByName<Name extends TablesCallName> = Extract<TablesAnswer, { $case: Name }>;

/** Subtracted from the deadline of the device, so that it receives our answer in time. */
const READ_ANSWER_MARGIN_MS = 100;

/** Relays the reads of a device to the account's EPOS and checks the answers. */
export class TableReadService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly tablesClient: EposTablesClient;
    },
  ) {}

  /** Returns the answer of the EPOS. Throws its refusal, or a failure when there is no usable answer. */
  async callEpos<Name extends TablesCallName>(
    tablesCall: TablesCallByName<Name> & { readonly $case: Name },
    call: GrpcCall,
  ): Promise<TablesAnswerByName<Name>> {
    const { database, accounts, tablesClient } = this.parts;
    const { scope } = call.caller;
    const waitMs = Math.max(1, call.getRemainingMs() - READ_ANSWER_MARGIN_MS);
    const { outcome } = await tablesClient.callTables({ scope, call: tablesCall, waitMs, fence: null, faults: null });
    if (outcome.outcome !== 'answered') throw toReadFailure(outcome);
    const { currencies } = await database.read(scope, (reader) => accounts.get(reader));
    const answer = withoutUnusableBills(outcome.answer, currencies);
    const violation = isAnswerTo(answer, tablesCall.$case)
      ? findAnswerViolation(tablesCall, answer, currencies)
      : 'another answer';
    if (violation === null && isAnswerTo(answer, tablesCall.$case)) return replaceUnknownValues(answer);
    throw createTablesFailure(
      'ERROR_INTERNAL_POS_ERROR',
      `the EPOS sent an answer that cannot be used: ${violation ?? ''}`,
    );
  }
}

/** The failure that a device receives for an outcome without an answer. */
function toReadFailure(outcome: Exclude<TablesOutcome, { outcome: 'answered' }>): GrpcFailure {
  switch (outcome.outcome) {
    case 'refused':
      return toRefusalFailure(outcome);
    case 'credentialsRefused':
    case 'notSent':
      return new GrpcFailure(status.UNAVAILABLE, outcome.reason);
    case 'noAnswer':
      return toNoAnswerFailure({ reason: outcome.reason, ...describeEarlyEnd(outcome) });
  }
}

function isAnswerTo<Name extends TablesCallName>(answer: TablesAnswer, name: Name): answer is TablesAnswerByName<Name> {
  return answer.$case === name;
}
