// An operation of the REST API as data, and the refusals that many operations share.
export {
  type BodyOf,
  commonRefusals,
  type Method,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReturnsOf,
  type SentBodyOf,
  takesBody,
} from './operation.js';
export { BOUND_REFUSALS } from './bound-refusals.js';
export { buildAddress } from './operation-address.js';
