import { Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { type Acquirer, type AcquirerSimulator, addAcquirerService } from '@pos/sandbox/acquirer';
import { createTestAcquirer, ManualClock } from '@pos/sandbox/testing';

/** The simulated acquirer on a real socket. Its clock moves only on command. */
export class AcquirerTestServer {
  private constructor(
    readonly acquirer: Acquirer,
    readonly acquirerSimulator: AcquirerSimulator,
    readonly clock: ManualClock,
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async open(): Promise<AcquirerTestServer> {
    const clock = new ManualClock(new Date());
    const { acquirer, acquirerSimulator } = createTestAcquirer({ clock });
    const server = new Server();
    addAcquirerService(server, { simulator: acquirerSimulator, clock, stepUpUrl: 'http://127.0.0.1/challenge' });
    const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
    return new AcquirerTestServer(acquirer, acquirerSimulator, clock, server, `127.0.0.1:${port}`);
  }

  close(): void {
    this.server.forceShutdown();
  }
}
