import { Controller } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { listTransactions } from '@pos/payments/payment-intents';
import * as rest from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';
import { presentTransaction } from './transaction-presenter.js';

@Controller()
export class TransactionsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly accounts: AccountCache,
  ) {}

  @Serve(rest.searchTransactions)
  async search(call: OperationCall<typeof rest.searchTransactions>) {
    const { cursor, ...terms } = call.body;
    return this.database.runAndStore<typeof rest.searchTransactions>(call, async () => {
      const { transactions, before, after } = await this.database.read(call.caller.scope, (reader) =>
        listTransactions({ reader, accounts: this.accounts }, { ...terms, ...cursor }),
      );
      return { data: transactions.map(presentTransaction), before, after };
    });
  }
}
