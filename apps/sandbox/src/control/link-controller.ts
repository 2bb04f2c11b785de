import { Controller, Inject } from '@nestjs/common';
import { readSandboxLinks } from '@pos/rest-contracts/sandbox';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { CONFIG } from '@pos/service-kit/nest';
import type { SandboxConfig } from '../config/sandbox-config.js';

/** The pages of other apps that the start page links to. */
@Controller()
export class LinkController {
  constructor(@Inject(CONFIG) private readonly config: SandboxConfig) {}

  @Serve(readSandboxLinks)
  async read(_: OperationCall<typeof readSandboxLinks>) {
    const portal = this.config.PORTAL_URL?.replace(/\/+$/, '');
    return portal === undefined ? {} : { portal, reference: `${portal}/reference` };
  }
}
