import type { Environment } from '@pos/core/identity/identity';
import { createAcquirerCallObserver } from '@pos/nest-modules/acquirer-telemetry';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import type { AcquirerSettings } from '@pos/service-kit/config/acquirer-settings';
import { type AcquirerChannels, openAcquirerChannels } from '@pos/service-kit/grpc/acquirer-channels';
import { observeClientCalls } from '@pos/service-kit/grpc/grpc-client-telemetry';
import type { Log } from '@pos/service-kit/telemetry/log';
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
