import { Controller } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { listTransactions } from '@pos/payments/transactions';
import * as rest from '@pos/rest-contracts/transactions';
import { type OperationCall, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { presentTransaction } from './present-transaction.js';

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
      const { transactions, merchantId, before, after } = await this.database.read(call.caller.scope, (reader) =>
        listTransactions({ reader, accounts: this.accounts }, { ...terms, ...cursor }),
      );
      return { data: transactions.map((each) => presentTransaction(each, merchantId)), before, after };
    });
  }
}
