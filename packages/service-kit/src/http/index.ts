// The HTTP server of an app: routes of operations, pages, problem responses, HTTPS and readiness checks.
export { type HttpServer, startHttpServer } from './http-server.js';
export { HeadedReply, type OperationCall, Serve, StoredReply } from './operation-route.js';
export type { RawRoute } from './raw-routes.js';
export { compressText, type FormPage, type Page, PAGE_ROUTE, type PageContent } from './pages.js';
export { createProblemResponse } from './problem-response.js';
export type { AnsweredRequest, RequestRecorder } from './answered-request.js';
export { createHttpsOptions, followCertificate } from './https.js';
export type { ReadinessCheck } from './health.js';
