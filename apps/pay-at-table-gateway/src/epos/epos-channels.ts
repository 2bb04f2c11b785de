import { connectivityState, credentials, type ClientOptions } from '@grpc/grpc-js';
import { answersWithin, EPOS_MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { rootCertificates } from 'node:tls';
import { ChannelSockets } from './channel-sockets.js';
import { type EposAddress, type EposReach, resolveEpos } from './epos-address.js';
import { UNREGISTERED } from './record-fence.js';
import { type NoOutcome, notSent } from './tables-call.js';

type AllowedAddress = Extract<EposAddress, { isAllowed: true }>;

interface Channel {
  readonly client: TablesServiceClient;
  /** The accounts whose calls went here, and how each asks whether it is still registered: nobody else keeps it open. */
  readonly users: Map<string, Dialling['confirm']>;
  /** Resolves when it is closed, with what that means for who waits: the library lets them wait until their deadline. */
  readonly closed: Promise<NoOutcome>;
  readonly close: (outcome: NoOutcome) => void;
  isClosed: boolean;
  usedAtMs: number;
}

/** Who wants a connection, and how. */
interface Dialling {
  readonly user: string;
  readonly isSandbox: boolean;
  readonly limitMs: number;
  /** Is asked before anything is dialled; an objection ends it. */
  readonly confirm: () => Promise<NoOutcome | null>;
}

/** A client whose connection stands. `hasWaited`: it did not stand at once, so what was known before may be over. */
interface Reached {
  readonly client: TablesServiceClient;
  readonly hasWaited: boolean;
}

const CHANNELS_MAX = 1_000;
const UNUSED_MS_MAX = 10 * 60_000;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

const CHANNEL_OPTIONS: ClientOptions = {
  ...answersWithin(EPOS_MESSAGE_VALUES_MAX),
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  // A call is made once or not at all: the library must not repeat a write behind our back.
  'grpc.enable_retries': 0,
  // The sockets of a channel are its own, and are closed with it.
  'grpc.use_local_subchannel_pool': 1,
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
  async open(url: string, { user, isSandbox, limitMs, confirm }: Dialling): Promise<Reached | NoOutcome> {
    const key = `${isSandbox ? 'sandbox' : 'production'} ${url}`;
    const known = this.#channels.get(key);
    if (known !== undefined) {
      known.usedAtMs = performance.now();
      known.users.set(user, confirm);
      if (stands(known.client)) return { client: known.client, hasWaited: false };
      const objection = await confirm();
      // A database that could not be asked ends this call, and nobody else's.
      if (objection === UNREGISTERED) this.#forget(user, key, known);
      return objection ?? this.#awaited(key, known, limitMs);
    }
    const address = await resolveEpos(url, { reach: this.#reach, isSandbox });
    if (!address.isAllowed) return notSent('noConnection', address.reason);
    const objection = await confirm();
    if (objection !== null) return objection;
    return this.#awaited(key, this.#joined(key, address, { user, confirm }), limitMs);
  }

  /** Something was registered, replaced or deleted: a connection that nobody has registered any more is closed at once. */
  async release(user: string): Promise<void> {
    const used = [...this.#channels].filter(([, { users }]) => users.has(user));
    for (const [key, channel] of used) {
      // A registration is also announced when it is made, and a call may be on its way there already.
      const objection = await channel.users.get(user)?.();
      if (objection === UNREGISTERED) this.#forget(user, key, channel);
    }
  }

  close(): void {
    for (const key of [...this.#channels.keys()]) this.#drop(key);
  }

  /** The channel that another caller has dialled meanwhile, or a new one. */
  #joined(key: string, address: AllowedAddress, by: Pick<Dialling, 'user' | 'confirm'>): Channel {
    const there = this.#channels.get(key);
    if (there !== undefined) {
      there.usedAtMs = performance.now();
      there.users.set(by.user, by.confirm);
      return there;
    }
    this.#forgetUnused();
    const channel = this.#dial(address, by);
    this.#channels.set(key, channel);
    return channel;
  }

  async #awaited(key: string, channel: Channel, limitMs: number): Promise<Reached | NoOutcome> {
    const { client, closed } = channel;
    const end = await Promise.race([isReady(channel, limitMs), closed]);
    if (end === true) return { client, hasWaited: true };
    if (end !== false) return end;
    // The name may lead elsewhere by now: the next call asks again.
    if (this.#channels.get(key) === channel) this.#drop(key);
    return NOT_IN_TIME;
  }

  #dial({ target, authority, isPlaintext }: AllowedAddress, first: Pick<Dialling, 'user' | 'confirm'>): Channel {
    const sockets = new ChannelSockets();
    const client = new TablesServiceClient(
      target,
      sockets.watch(isPlaintext ? credentials.createInsecure() : credentials.createSsl(this.#certificates)),
      isPlaintext
        ? CHANNEL_OPTIONS
        : {
            ...CHANNEL_OPTIONS,
            'grpc.default_authority': authority,
            'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
          },
    );
    return channelOf(client, sockets, first);
  }

  #forget(user: string, key: string, channel: Channel): void {
    channel.users.delete(user);
    if (channel.users.size === 0 && this.#channels.get(key) === channel) this.#drop(key, UNREGISTERED);
  }

  #drop(key: string, outcome = NOT_IN_TIME): void {
    this.#channels.get(key)?.close(outcome);
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

const NOT_IN_TIME = notSent('noConnection', 'no connection to the EPOS in time');

function channelOf(
  client: TablesServiceClient,
  sockets: ChannelSockets,
  { user, confirm }: Pick<Dialling, 'user' | 'confirm'>,
): Channel {
  let settle: (outcome: NoOutcome) => void = () => undefined;
  const closed = new Promise<NoOutcome>((resolve) => (settle = resolve));
  const channel: Channel = {
    client,
    users: new Map([[user, confirm]]),
    closed,
    isClosed: false,
    usedAtMs: performance.now(),
    close: (outcome) => {
      channel.isClosed = true;
      client.close();
      sockets.close();
      settle(outcome);
    },
  };
  whenever(client, connectivityState.READY, () => sockets.connected());
  return channel;
}

/** Calls the listener each time the channel comes into the state, until it is closed. */
function whenever(client: TablesServiceClient, wanted: connectivityState, listener: () => void): void {
  const grpc = client.getChannel();
  const look = (): void => {
    const state = grpc.getConnectivityState(false);
    if (state === wanted) listener();
    if (state !== connectivityState.SHUTDOWN) grpc.watchConnectivityState(state, Infinity, look);
  };
  look();
}

/** Whether a call can be written at once. */
function stands(client: TablesServiceClient): boolean {
  return client.getChannel().getConnectivityState(false) === connectivityState.READY;
}

/**
 * Dials until the connection stands or the time is over; does not end when the channel is closed. Not `waitForReady` of the library: that
 * asks a closed channel for its state once more, which makes it dial again for ever.
 */
function isReady(channel: Channel, limitMs: number): Promise<boolean> {
  const grpc = channel.client.getChannel();
  const deadline = Date.now() + limitMs;
  return new Promise((resolve) => {
    const look = (late?: Error): void => {
      // What a closed channel means is said by its promise `closed`.
      if (channel.isClosed) return;
      if (late !== undefined) {
        resolve(false);
        return;
      }
      const state = grpc.getConnectivityState(true);
      if (state === connectivityState.READY) resolve(true);
      else grpc.watchConnectivityState(state, deadline, look);
    };
    look();
  });
}
