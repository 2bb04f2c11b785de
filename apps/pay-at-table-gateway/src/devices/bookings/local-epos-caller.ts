import type { EposDataCall, EposDataCaller, EposDataReply } from '@pos/service-kit/epos-data';
import type { EposDataClient } from '../../epos-routing/epos-data-client.js';

/** Calls EPOSes over the connections of this gateway, and through other gateways. */
export class LocalEposCaller implements EposDataCaller {
  constructor(private readonly client: Pick<EposDataClient, 'callData'>) {}

  async callEpos(call: EposDataCall): Promise<EposDataReply> {
    const { outcome } = await this.client.callData({ ...call, fence: null, faults: null });
    switch (outcome.outcome) {
      case 'answered':
        return { outcome: 'answered', json: outcome.json };
      case 'refused':
        return { outcome: 'refused', error: outcome.error };
      case 'credentialsRefused':
      case 'notSent':
        return { outcome: 'notSent', reason: outcome.reason };
      case 'noAnswer':
        return { outcome: 'noAnswer', reason: outcome.reason };
    }
  }
}
