import type { Environment } from '@pos/core/identity/identity';
import { AcquirerCircuit } from '@pos/payments/acquirer/acquirer-circuit';
import { AcquirerClient } from '@pos/payments/acquirer/acquirer-client';
import { createUnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import type { Log } from '@pos/service-kit/telemetry/log';

/** Where the acquirers of both environments are, `host:port`; every app names these settings alike. */
export interface AcquirerAddresses {
  readonly ACQUIRER_ADDRESS: string;
  readonly ACQUIRER_ADDRESS_PRODUCTION?: string | undefined;
}

/** The acquirer of sandboxes and the one of production, where one is configured. */
export class AcquirerClients {
  readonly sandbox: AcquirerClient;
  readonly production: AcquirerClient | null;

  /**
   * `circuitPauseMs`: while an acquirer does not answer, one call at a time tries it, after such a pause, and the others
   * are put off. Without it each call tries the acquirer.
   */
  constructor(
    { ACQUIRER_ADDRESS: sandbox, ACQUIRER_ADDRESS_PRODUCTION: production }: AcquirerAddresses,
    log: Log,
    circuitPauseMs: number | null = null,
  ) {
    const reportCard = createUnreadableCardReporter(log);
    const createClient = (address: string, environment: Environment): AcquirerClient => {
      if (circuitPauseMs === null) return new AcquirerClient(address, { reportCard });
      const onChange = (isOpen: boolean): void =>
        log.warn(isOpen ? 'acquirer.circuit_opened' : 'acquirer.circuit_closed', { environment, acquirer: address });
      return new AcquirerClient(address, {
        reportCard,
        circuit: new AcquirerCircuit({ pauseMs: circuitPauseMs, onChange }),
      });
    };
    this.sandbox = createClient(sandbox, 'sandbox');
    this.production = production === undefined ? null : createClient(production, 'production');
  }

  /** The acquirer that is asked for an environment; null for production without one. */
  of(environment: Environment): AcquirerClient | null {
    return environment === 'sandbox' ? this.sandbox : this.production;
  }

  close(): void {
    this.sandbox.close();
    this.production?.close();
  }
}
