import type { Environment } from '@pos/core/identity';
import type { AcquirerPort } from '@pos/core/acquirer';
import { AcquirerDirectory, type AcquirerPorts } from '@pos/payments/accounts';
import { AcquirerCircuit, AcquirerClient, createUnreadableCardReporter } from '@pos/payments/acquirer';
import type { AcquirerSettings } from '@pos/service-kit/config';
import { type AcquirerChannels, observeClientCalls, openAcquirerChannels } from '@pos/service-kit/grpc';
import type { Log } from '@pos/service-kit/telemetry';
import { createAcquirerCallObserver, recordCircuit } from './acquirer-telemetry.js';

/** The acquirers of a process: a client and a circuit for each, and what each has declared. */
export class AcquirerClients implements AcquirerPorts {
  readonly directory: AcquirerDirectory;
  readonly #clients = new Map<string, AcquirerClient>();
  readonly #channels: AcquirerChannels;

  /**
   * `circuitPauseMs`: while an acquirer does not answer, one call at a time tries it, after such a pause, and the others
   * are put off. Without it each call tries the acquirer.
   */
  constructor(settings: Partial<AcquirerSettings>, log: Log, circuitPauseMs: number | null = null) {
    const reportCard = createUnreadableCardReporter(log);
    this.#channels = openAcquirerChannels(settings, log);
    for (const { environment, name, address, tls, credential } of this.#channels.targets) {
      const subject = { environment, acquirer: name };
      const onChange = (isOpen: boolean): void => {
        recordCircuit(subject, isOpen);
        log.warn(isOpen ? 'acquirer.circuit_opened' : 'acquirer.circuit_closed', { ...subject, address });
      };
      if (circuitPauseMs !== null) recordCircuit(subject, false);
      const client = new AcquirerClient(address, {
        ...{ reportCard, tls, credential: credential ?? undefined, interceptors: [observeClientCalls] },
        observeCall: createAcquirerCallObserver(subject),
        circuit: circuitPauseMs === null ? null : new AcquirerCircuit({ pauseMs: circuitPauseMs, onChange }),
      });
      this.#clients.set(`${environment} ${name}`, client);
    }
    this.directory = new AcquirerDirectory(this.#channels.targets);
  }

  find(environment: Environment, name: string): AcquirerPort | null {
    return this.#clients.get(`${environment} ${name}`) ?? null;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#channels.close();
  }
}
