// Parsing of request bodies and queries, with every invalid or unknown member named by its path.
export { type BodyResult, prepareBody, readBody, readQuery } from './reading.js';
