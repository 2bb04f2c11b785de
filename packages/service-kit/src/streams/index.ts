// Server-sent event streams to browsers, and their reconnection time.
export { EventStream } from './event-stream.js';
