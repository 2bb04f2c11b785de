// All operations of the REST API.
export { API_OPERATIONS, API_TITLE } from './operations.js';
