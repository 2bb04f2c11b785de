import { randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from '@pos/core/refusals';
import { GuestDevice, readTableToken, signTableToken, type TableTokenContent } from '@pos/sandbox/devices';
import type { SimulatedEnvironment } from '@pos/sandbox/environment';
import { getAccountSimulation } from '../control/account-controller.js';

const TOKEN_MS = 2 * 60 * 60 * 1_000;
const DEVICES_MAX = 1_000;

/** The devices of payers at tables. A token names the table and the device; this process alone can sign one. */
export class GuestScreens {
  readonly #environment: SimulatedEnvironment;
  readonly #key = randomBytes(32);
  readonly #devices = new Map<string, GuestDevice>();

  constructor(environment: SimulatedEnvironment) {
    this.#environment = environment;
  }

  /** Creates the address of a page for the payers of a table. */
  createLink(accountId: string, sessionId: string): { readonly path: string; readonly expiresAt: string } {
    const { epos } = getAccountSimulation(this.#environment, accountId);
    if (epos === null || epos.epos.restaurant.findSession(sessionId) === null) {
      throw new Refusal('path_unknown', 'The restaurant has no such session.');
    }
    const expiresAtMs = this.#environment.clock.now().getTime() + TOKEN_MS;
    const token = signTableToken({ accountId, sessionId, deviceId: randomUUID(), expiresAtMs }, this.#key);
    return { path: `/guest/${token}`, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** The device that the token names; a token that is not genuine or has expired is refused as unknown. */
  getDevice(token: string): GuestDevice {
    const content = readTableToken(token, this.#key, this.#environment.clock.now().getTime());
    if (content === null) throw new Refusal('path_unknown', 'The link has expired. Scan the code again.');
    const existing = this.#devices.get(content.deviceId);
    if (existing !== undefined) return existing;
    const device = this.#openDevice(content);
    this.#devices.set(content.deviceId, device);
    const oldest = this.#devices.entries().next().value;
    if (this.#devices.size > DEVICES_MAX && oldest !== undefined) {
      oldest[1].close();
      this.#devices.delete(oldest[0]);
    }
    return device;
  }

  close(): void {
    for (const device of this.#devices.values()) device.close();
    this.#devices.clear();
  }

  #openDevice({ accountId, sessionId }: TableTokenContent): GuestDevice {
    const { account, epos } = getAccountSimulation(this.#environment, accountId);
    const session = epos?.epos.restaurant.findSession(sessionId);
    return new GuestDevice({
      clock: this.#environment.clock,
      device: this.#environment.openDevice(account, null),
      table: { sessionId, tradingName: account.tradingName, tableName: session?.tableName ?? session?.name ?? '' },
    });
  }
}
