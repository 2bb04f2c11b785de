import { type ChannelCredentials, connectivityState, credentials, type ClientOptions } from '@grpc/grpc-js';
import { limitAnswer, EPOS_MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { rootCertificates } from 'node:tls';
import { ChannelSockets } from './channel-sockets.js';
import { type EposAddress, type EposAddressPolicy, resolveEposAddress } from './epos-address.js';
import { NOT_REGISTERED_FAILURE } from './record-fence.js';
import { type CallFailure, createNotSent } from '../epos-calls/call-failure.js';

type AllowedAddress = Extract<EposAddress, { isAllowed: true }>;

interface EposChannel {
  readonly client: TablesServiceClient;
  /** The accounts that use the channel, each with the check that its address is still registered. */
  readonly users: Map<string, ChannelRequest['confirm']>;
  /** Resolves when the channel is closed, with the outcome of waiting calls. The library would end them only at their deadline. */
  readonly whenClosed: Promise<CallFailure>;
  readonly close: (outcome: CallFailure) => void;
  isClosed: boolean;
  usedAtMs: number;
}

/** A request for a channel. */
interface ChannelRequest {
  readonly user: string;
  readonly isSandbox: boolean;
  readonly limitMs: number;
  /**
   * If below `limitMs`, the caller has another route: it waits this long at most, and not at all after a failed dial. The
   * channel stays and dials on.
   */
  readonly impatientMs?: number;
  /** Checks the registration before the address is dialled. A failure ends the request. */
  readonly confirm: () => Promise<CallFailure | null>;
}

/** How long a caller waits for a connection. An impatient one does not wait for a second dial. */
interface Patience {
  readonly limitMs: number;
  readonly isImpatient: boolean;
}

/** A client whose connection is open. `hasWaited`: it was not open at once, so earlier reads may be out of date. */
interface ReadyChannel {
  readonly client: TablesServiceClient;
  readonly hasWaited: boolean;
}

const CHANNELS_MAX = 1_000;
const IDLE_TIMEOUT_MS = 10 * 60_000;
const CHANNEL_MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

const CHANNEL_OPTIONS: ClientOptions = {
  ...limitAnswer(EPOS_MESSAGE_VALUES_MAX),
  'grpc.max_receive_message_length': CHANNEL_MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': CHANNEL_MESSAGE_BYTES_MAX,
  // The library must not repeat a write.
  'grpc.enable_retries': 0,
  // No other channel shares the sockets, so they are closed with the channel.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 5_000,
};

/** The channels to EPOSes that are dialled: one for each address, open while it is used. */
export class EposChannelPool {
  readonly #channels = new Map<string, EposChannel>();
  readonly #addressPolicy: EposAddressPolicy;
  readonly #certificates: Buffer;
  /** Shared by all encrypted channels: parsing the certificates of all authorities takes tens of milliseconds. */
  #tlsCredentials: ChannelCredentials | null = null;

  constructor({ reach, certificateAuthority }: { reach: EposAddressPolicy; certificateAuthority: string | null }) {
    this.#addressPolicy = reach;
    const certificates = certificateAuthority === null ? rootCertificates : [...rootCertificates, certificateAuthority];
    this.#certificates = Buffer.from(certificates.join('\n'));
  }

  /** Returns a client with an open connection, or the reason why there is none; nothing was sent then. */
  async openChannel(
    url: string,
    { user, isSandbox, limitMs, impatientMs = limitMs, confirm }: ChannelRequest,
  ): Promise<ReadyChannel | CallFailure> {
    const patience = { limitMs: Math.min(limitMs, impatientMs), isImpatient: impatientMs < limitMs };
    const key = `${isSandbox ? 'sandbox' : 'production'} ${url}`;
    const existing = this.#channels.get(key);
    if (existing !== undefined) {
      existing.usedAtMs = performance.now();
      existing.users.set(user, confirm);
      if (isConnected(existing.client)) return { client: existing.client, hasWaited: false };
      const objection = await confirm();
      // A failed check of the database ends only this call.
      if (objection === NOT_REGISTERED_FAILURE) this.#removeUser(user, key, existing);
      return objection ?? this.#awaitReady(key, existing, patience);
    }
    const address = await resolveEposAddress(url, { reach: this.#addressPolicy, isSandbox });
    if (!address.isAllowed) return createNotSent('noConnection', address.reason);
    const objection = await confirm();
    if (objection !== null) return objection;
    return this.#awaitReady(key, this.#getOrDial(key, address, { user, confirm }), patience);
  }

  /** Closes the channels of an account whose addresses are not registered any more, after a change of its registrations. */
  async closeUnregistered(user: string): Promise<void> {
    const used = [...this.#channels].filter(([, { users }]) => users.has(user));
    for (const [key, channel] of used) {
      // New registrations are announced too, and their channel may already be in use.
      const objection = await channel.users.get(user)?.();
      if (objection === NOT_REGISTERED_FAILURE) this.#removeUser(user, key, channel);
    }
  }

  close(): void {
    for (const key of [...this.#channels.keys()]) this.#closeChannel(key);
  }

  /** The channel that another caller has opened in the meantime, or a new one. */
  #getOrDial(key: string, address: AllowedAddress, caller: Pick<ChannelRequest, 'user' | 'confirm'>): EposChannel {
    const current = this.#channels.get(key);
    if (current !== undefined) {
      current.usedAtMs = performance.now();
      current.users.set(caller.user, caller.confirm);
      return current;
    }
    this.#closeUnused();
    const channel = this.#dial(address, caller);
    this.#channels.set(key, channel);
    return channel;
  }

  async #awaitReady(key: string, channel: EposChannel, patience: Patience): Promise<ReadyChannel | CallFailure> {
    const { client, whenClosed } = channel;
    const result = await Promise.race([waitUntilReady(channel, patience), whenClosed]);
    if (result === true) return { client, hasWaited: true };
    if (result !== false) return result;
    // Other callers may wait longer for this channel.
    if (patience.isImpatient) return CONNECT_TIMED_OUT;
    // The host name may have another address now: the next call resolves it again.
    if (this.#channels.get(key) === channel) this.#closeChannel(key);
    return CONNECT_TIMED_OUT;
  }

  #dial(
    { target, authority, isPlaintext }: AllowedAddress,
    first: Pick<ChannelRequest, 'user' | 'confirm'>,
  ): EposChannel {
    const sockets = new ChannelSockets();
    const client = new TablesServiceClient(
      target,
      sockets.trackCredentials(isPlaintext ? credentials.createInsecure() : this.#getTlsCredentials()),
      isPlaintext
        ? CHANNEL_OPTIONS
        : {
            ...CHANNEL_OPTIONS,
            'grpc.default_authority': authority,
            'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
          },
    );
    return createChannel(client, sockets, first);
  }

  #getTlsCredentials(): ChannelCredentials {
    this.#tlsCredentials ??= credentials.createSsl(this.#certificates);
    return this.#tlsCredentials;
  }

  #removeUser(user: string, key: string, channel: EposChannel): void {
    channel.users.delete(user);
    if (channel.users.size === 0 && this.#channels.get(key) === channel)
      this.#closeChannel(key, NOT_REGISTERED_FAILURE);
  }

  #closeChannel(key: string, outcome = CONNECT_TIMED_OUT): void {
    this.#channels.get(key)?.close(outcome);
    this.#channels.delete(key);
  }

  #closeUnused(): void {
    for (const [key, { usedAtMs }] of this.#channels) {
      if (performance.now() - usedAtMs > IDLE_TIMEOUT_MS) this.#closeChannel(key);
    }
    const [oldest] = this.#channels.keys();
    if (this.#channels.size >= CHANNELS_MAX && oldest !== undefined) this.#closeChannel(oldest);
  }
}

const CONNECT_TIMED_OUT = createNotSent('noConnection', 'no connection to the EPOS in time');

function createChannel(
  client: TablesServiceClient,
  sockets: ChannelSockets,
  { user, confirm }: Pick<ChannelRequest, 'user' | 'confirm'>,
): EposChannel {
  let settle: (outcome: CallFailure) => void = () => undefined;
  const whenClosed = new Promise<CallFailure>((resolve) => (settle = resolve));
  const channel: EposChannel = {
    client,
    users: new Map([[user, confirm]]),
    whenClosed,
    isClosed: false,
    usedAtMs: performance.now(),
    close: (outcome) => {
      channel.isClosed = true;
      client.close();
      sockets.close();
      settle(outcome);
    },
  };
  watchState(client, connectivityState.READY, () => sockets.markConnected());
  return channel;
}

/** Calls the listener each time the channel enters the state, until it is closed. */
function watchState(client: TablesServiceClient, wantedState: connectivityState, listener: () => void): void {
  const grpc = client.getChannel();
  const checkState = (): void => {
    const state = grpc.getConnectivityState(false);
    if (state === wantedState) listener();
    if (state !== connectivityState.SHUTDOWN) grpc.watchConnectivityState(state, Infinity, checkState);
  };
  checkState();
}

/** Whether a call can be written at once. */
function isConnected(client: TablesServiceClient): boolean {
  return client.getChannel().getConnectivityState(false) === connectivityState.READY;
}

/**
 * Resolves when the connection is open (true) or the time is over (false); never when the channel is closed. Replaces
 * `waitForReady` of the library, which makes a closed channel dial again without end.
 */
function waitUntilReady(channel: EposChannel, { limitMs, isImpatient }: Patience): Promise<boolean> {
  const grpc = channel.client.getChannel();
  const deadline = Date.now() + limitMs;
  return new Promise((resolve) => {
    const checkState = (timeoutError?: Error): void => {
      // `whenClosed` has the outcome of a closed channel.
      if (channel.isClosed) return;
      if (timeoutError !== undefined) {
        resolve(false);
        return;
      }
      const state = grpc.getConnectivityState(true);
      if (state === connectivityState.READY) resolve(true);
      else if (isImpatient && state === connectivityState.TRANSIENT_FAILURE) resolve(false);
      else grpc.watchConnectivityState(state, deadline, checkState);
    };
    checkState();
  });
}
