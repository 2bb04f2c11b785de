// A typed HTTP client for the operations of the REST API.
export { AnswerError, type Client, openClient, ProblemError, type RequestOptions } from './client.js';
