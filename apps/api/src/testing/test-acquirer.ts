import { Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import type { TerminalSession } from '@pos/core/terminals';
import {
  Acquirer,
  AcquirerBooks,
  AcquirerRuleSet,
  AcquirerSimulator,
  addAcquirerService,
  createMemoryJournal,
} from '@pos/sandbox/acquirer';
import { APPROVED } from '@pos/sandbox/testing';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import type { Secret } from '@pos/service-kit/config';

/** The simulated acquirer on a real socket, for the API's calls and for cards that machines charge. */
export class TestAcquirer {
  private constructor(
    readonly simulator: AcquirerSimulator,
    private readonly server: Server,
    readonly address: string,
  ) {}

  /** `credentials`: TLS instead of plain text; `credential`: what calls have to carry; `address`: a free port when left out. */
  static async open({
    credentials = ServerCredentials.createInsecure(),
    credential = null,
    address = '127.0.0.1:0',
  }: {
    readonly address?: string;
    readonly credentials?: ServerCredentials;
    readonly credential?: Secret | null;
  } = {}): Promise<TestAcquirer> {
    const clock = createWallClock({ timeScale: 1, frozenAt: null });
    const acquirer = new Acquirer({ books: new AcquirerBooks(createMemoryJournal()), clock, seed: new Seed('api') });
    const simulator = new AcquirerSimulator({ acquirer, rules: new AcquirerRuleSet(), clock });
    const server = new Server();
    addAcquirerService(server, { simulator, clock, stepUpUrl: 'http://127.0.0.1/challenge', credential });
    const port = await bindGrpcServer(server, address, credentials);
    return new TestAcquirer(simulator, server, `127.0.0.1:${port}`);
  }

  /** Charges a card for a sale, as a machine does. */
  async chargeCard({
    acquirerReference: reference,
    total: amount,
    capture: isPurchase,
  }: TerminalSession): Promise<void> {
    const instrument = { kind: 'present', terminalId: '90000001', card: CARD, verdict: APPROVED } as const;
    await this.simulator.authorise({ reference, amount, isPurchase, merchantId: MERCHANT_ID, instrument });
  }

  /** The bookings that follow an authorisation: `Capture 1500 Approved`. */
  listBookings(reference: string): string[] {
    return this.simulator.acquirer.books
      .listRelatedCalls(reference)
      .map(({ kind, amount, outcome }) => `${kind} ${amount.value} ${outcome}`);
  }

  close(): void {
    this.server.forceShutdown();
  }
}

export const MERCHANT_ID = '9000012345';

const CARD = {
  ...{ number: '4456530000091014', expiryMonth: 12, expiryYear: 2032 },
  ...{ cv2: '', cardholderName: 'A GUEST' },
} as const;
