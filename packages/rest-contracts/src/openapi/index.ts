// OpenAPI documents, generated from the operations and their examples.
export { type ApiTitle, openApiDocument } from './openapi.js';
export { getBody } from './document-examples.js';
