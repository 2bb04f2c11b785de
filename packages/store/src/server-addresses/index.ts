// Database connection URLs: parse them, describe their servers, and require verified TLS.
export { describeTarget, parseConnectionUrl, requireVerifiedServers } from './connection-url.js';
