import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';

const IDENTITY = provide(
  InternalIdentity,
  { config: CONFIG, log: LOG },
  ({ config, log }) => new InternalIdentity(config, log),
);

/** The API towards the other processes of the service. */
@Module({ providers: [IDENTITY], exports: [InternalIdentity] })
export class InternalIdentityModule implements OnApplicationShutdown {
  constructor(private readonly identity: InternalIdentity) {}

  onApplicationShutdown(): void {
    this.identity.close();
  }
}
