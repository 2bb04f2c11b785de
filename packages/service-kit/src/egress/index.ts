// Outgoing HTTP calls to addresses that customers register: DNS lookup, address policy and outcome.
export { EgressClient, type EgressOutcome } from './egress-client.js';
export { type AddressPolicy, RegistrableAddressPolicy } from './registrable-address.js';
export { NO_PUBLIC_ADDRESS, resolveName } from './name-resolver.js';
