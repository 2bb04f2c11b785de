import type { ActivityRecorder } from '@pos/core/activities';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { logAcquirerCall } from '@pos/payments/acquirer';
import type { CardAcquirerClient } from './card-acquirer-client.js';

/** The calls of an acquirer with a card. */
type CardCalls = Pick<CardAcquirerClient, 'authorise' | 'authoriseWallet' | 'chargeStoredCard' | 'completeChallenge'>;

/** The acquirer of one account: each call is recorded without its card. */
export class LoggedCardAcquirer implements CardCalls {
  constructor(
    private readonly client: CardCalls,
    private readonly scope: Scope,
    private readonly activities: ActivityRecorder,
  ) {}

  authorise(...args: Parameters<CardCalls['authorise']>): Promise<AcquirerAnswer> {
    return this.#logAuthorisation(args[0], () => this.client.authorise(...args));
  }

  authoriseWallet(...args: Parameters<CardCalls['authoriseWallet']>): Promise<AcquirerAnswer> {
    return this.#logAuthorisation(args[0], () => this.client.authoriseWallet(...args));
  }

  chargeStoredCard(...args: Parameters<CardCalls['chargeStoredCard']>): Promise<AcquirerAnswer> {
    return this.#logAuthorisation(args[0], () => this.client.chargeStoredCard(...args));
  }

  completeChallenge(...args: Parameters<CardCalls['completeChallenge']>): Promise<AcquirerAnswer> {
    const [{ reference }] = args;
    const { scope } = this;
    return logAcquirerCall(this.activities, { scope, method: 'CompleteChallenge', reference }, () =>
      this.client.completeChallenge(...args),
    );
  }

  #logAuthorisation(
    {
      reference,
      merchantId,
      amount,
    }: Pick<Parameters<CardCalls['chargeStoredCard']>[0], 'reference' | 'merchantId' | 'amount'>,
    call: () => Promise<AcquirerAnswer>,
  ): Promise<AcquirerAnswer> {
    const { scope } = this;
    return logAcquirerCall(this.activities, { scope, method: 'Authorise', reference, merchantId, amount }, call);
  }
}
