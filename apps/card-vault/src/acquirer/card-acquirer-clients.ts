import type { Environment } from '@pos/core/identity';
import { createAcquirerCallObserver } from '@pos/nest-modules';
import { createUnreadableCardReporter } from '@pos/payments/acquirer';
import type { AcquirerSettings } from '@pos/service-kit/config';
import { type AcquirerChannels, observeClientCalls, openAcquirerChannels } from '@pos/service-kit/grpc';
import type { Log } from '@pos/service-kit/telemetry';
import { CardAcquirerClient } from './card-acquirer-client.js';

/** The acquirers that are asked with a card number: the same as those of the other processes, by the same settings. */
export class CardAcquirerClients {
  readonly #clients = new Map<string, CardAcquirerClient>();
  readonly #channels: AcquirerChannels;

  constructor(settings: Partial<AcquirerSettings>, log: Log) {
    const reportCard = createUnreadableCardReporter(log);
    this.#channels = openAcquirerChannels(settings, log);
    for (const { environment, name, address, tls, credential } of this.#channels.targets) {
      const client = new CardAcquirerClient(address, {
        ...{ tls, credential: credential ?? undefined, interceptors: [observeClientCalls], reportCard },
        observeCall: createAcquirerCallObserver({ environment, acquirer: name }),
      });
      this.#clients.set(`${environment} ${name}`, client);
    }
  }

  find(environment: Environment, name: string): CardAcquirerClient | null {
    return this.#clients.get(`${environment} ${name}`) ?? null;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#channels.close();
  }
}
