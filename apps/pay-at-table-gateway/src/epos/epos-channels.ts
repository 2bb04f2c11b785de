import { credentials, type ChannelOptions } from '@grpc/grpc-js';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { rootCertificates } from 'node:tls';
import { type EposReach, resolveEpos } from './epos-address.js';

interface Channel {
  readonly client: TablesServiceClient;
  usedAtMs: number;
}

const CHANNELS_MAX = 1_000;
const UNUSED_MS_MAX = 10 * 60_000;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  // A call is made once or not at all: the library must not repeat a write behind our back.
  'grpc.enable_retries': 0,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 5_000,
};

/** The connections to EPOSes that are dialled: one for each address, kept while it is used. */
export class EposChannels {
  readonly #channels = new Map<string, Channel>();
  readonly #reach: EposReach;
  readonly #certificates: Buffer;

  constructor({ reach, certificateAuthority }: { reach: EposReach; certificateAuthority: string | null }) {
    this.#reach = reach;
    const all = certificateAuthority === null ? rootCertificates : [...rootCertificates, certificateAuthority];
    this.#certificates = Buffer.from(all.join('\n'));
  }

  /** A client whose connection stands; otherwise why not, and then nothing was sent to anybody. */
  async open(
    url: string,
    { isSandbox, limitMs }: { readonly isSandbox: boolean; readonly limitMs: number },
  ): Promise<{ readonly client: TablesServiceClient } | { readonly reason: string }> {
    const key = `${isSandbox ? 'sandbox' : 'production'} ${url}`;
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.usedAtMs = performance.now();
      if (await isReady(known.client, limitMs)) return known;
      // The name may lead elsewhere by now: the next call asks again.
      this.#drop(key);
      return { reason: 'no connection to the EPOS in time' };
    }
    const address = await resolveEpos(url, { reach: this.#reach, isSandbox });
    if (!address.isAllowed) return { reason: address.reason };
    const { authority, isPlaintext } = address;
    const client = new TablesServiceClient(
      address.target,
      isPlaintext ? credentials.createInsecure() : credentials.createSsl(this.#certificates),
      isPlaintext
        ? CHANNEL_OPTIONS
        : {
            ...CHANNEL_OPTIONS,
            'grpc.default_authority': authority,
            'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
          },
    );
    this.#forgetUnused();
    this.#channels.get(key)?.client.close();
    this.#channels.set(key, { client, usedAtMs: performance.now() });
    if (await isReady(client, limitMs)) return { client };
    this.#drop(key);
    return { reason: 'no connection to the EPOS in time' };
  }

  close(): void {
    for (const key of [...this.#channels.keys()]) this.#drop(key);
  }

  #drop(key: string): void {
    this.#channels.get(key)?.client.close();
    this.#channels.delete(key);
  }

  #forgetUnused(): void {
    for (const [key, { usedAtMs }] of this.#channels) {
      if (performance.now() - usedAtMs > UNUSED_MS_MAX) this.#drop(key);
    }
    const [oldest] = this.#channels.keys();
    if (this.#channels.size >= CHANNELS_MAX && oldest !== undefined) this.#drop(oldest);
  }
}

function isReady(client: TablesServiceClient, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + limitMs, (error) => {
      resolve(error === undefined);
    });
  });
}
