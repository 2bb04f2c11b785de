import { type BeforeApplicationShutdown, Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { EventStream } from '@pos/service-kit/streams';
import { PAGE_ROUTE } from '@pos/service-kit/http';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { getEpos } from '../control/epos-controller.js';
import { readEposScreen } from './epos-screen-controller.js';
import { GuestScreens } from './guest-screens.js';
import { MachineScreens } from './machine-screens.js';

const BILL_READ_INTERVAL_MS = 1_500;

/** The reply of the HTTP server, which the stream takes over. */
type StreamReply = ConstructorParameters<typeof EventStream>[0];

/** The live states of the pages, as server-sent events. They end before the server closes. */
@Controller()
export class ScreenStreams implements BeforeApplicationShutdown {
  readonly #open = new Set<EventStream>();

  constructor(
    @Inject(MachineScreens) private readonly machines: MachineScreens,
    @Inject(SimulatedEnvironment) private readonly environment: SimulatedEnvironment,
    @Inject(GuestScreens) private readonly guests: GuestScreens,
  ) {}

  @Get('/machines/:accountId/:tid/screen/events')
  @RouteConfig(PAGE_ROUTE.config)
  streamMachine(@Param() params: { accountId: string; tid: string }, @Res() reply: StreamReply): void {
    const screen = this.machines.getScreen(params);
    this.#stream(reply, {
      open: (onChange) => screen.openPage(onChange),
      read: () => screen.view,
    });
  }

  @Get('/epos/:accountId/screen/events')
  @RouteConfig(PAGE_ROUTE.config)
  streamEpos(@Param() { accountId }: { accountId: string }, @Res() reply: StreamReply): void {
    const simulator = getEpos(this.environment, accountId);
    this.#stream(reply, {
      open: (onChange) => simulator.addListener(onChange),
      read: () => readEposScreen(this.environment, accountId),
    });
  }

  /** Other devices pay the same bill, so that it is read again while the page is open. */
  @Get('/guests/:token/screen/events')
  @RouteConfig(PAGE_ROUTE.config)
  streamGuest(@Param() { token }: { token: string }, @Res() reply: StreamReply): void {
    const device = this.guests.getDevice(token);
    this.#stream(reply, {
      open: (onChange) => {
        const reading = setInterval(() => void device.readBill(), BILL_READ_INTERVAL_MS);
        void device.readBill();
        const stopListening = device.addListener(onChange);
        return () => {
          clearInterval(reading);
          stopListening();
        };
      },
      read: () => device.view,
    });
  }

  beforeApplicationShutdown(): void {
    for (const stream of this.#open) stream.end();
  }

  #stream(reply: StreamReply, source: { open: (onChange: () => void) => () => void; read: () => unknown }): void {
    const stream = new EventStream(reply, () => {
      close();
      this.#open.delete(stream);
    });
    this.#open.add(stream);
    const close = source.open(() => stream.sendState(source.read()));
    stream.sendState(source.read());
  }
}
