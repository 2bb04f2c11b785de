// Network addresses, connection limits and TLS: client addresses, trusted networks and certificates.
export { describeLocalAddress, isGlobalUnicast, isLoopback } from './internet-address.js';
export { formatHostPort, isWildcardHost, stripBrackets } from './listen-address.js';
export { NetworkList } from './network-list.js';
export { findClientAddress } from './client-address.js';
export { type ConnectionLimits, endConnection, limitConnections } from './connection-limit.js';
export { findAdmittedNetworks, isLoopbackAddress, openPortEncryption, type PortEncryption } from './port-encryption.js';
export { openTlsFiles, TlsFiles } from './tls-files.js';
export { CertificateAuthority, type IssuedCertificate, writeFiles } from './certificate-authority.js';
