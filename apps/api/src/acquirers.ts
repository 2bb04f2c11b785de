import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusal';

/** Which environments have an acquirer behind them: a sandbox always, production where one is configured. */
export class Acquirers {
  constructor(private readonly hasProduction: boolean) {}

  /** Refuses to begin anything that asks for money where nobody could be asked for it. */
  require({ environment }: Scope): void {
    if (environment === 'production' && !this.hasProduction) {
      throw new Refusal('acquirer_not_configured', 'no acquirer is configured for production');
    }
  }
}
