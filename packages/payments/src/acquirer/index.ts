// The gRPC client of an acquirer: channel, circuit breaker, capabilities and call logging.
export { AcquirerClient } from './acquirer-client.js';
export { type AcquirerCallObserver, type AcquirerRpc, callAcquirer, callMethod } from './acquirer-rpc.js';
export { AcquirerChannel, type AcquirerChannelOptions } from './acquirer-channel.js';
export { AcquirerCircuit } from './acquirer-circuit.js';
export { CapabilityRefresher } from './capability-refresher.js';
export { WIRE_WALLETS } from './capabilities-wire.js';
export { logAcquirerCall } from './logged-acquirer.js';
export { createUnreadableCardReporter, type UnreadableCardReporter } from './unreadable-cards.js';
