// Code samples of an operation: for cURL, the SDK and the command line.
export { writeCliSample } from './cli-sample.js';
export { createSampleRequest, type SampleExample, type SampleOperation } from './create-sample-request.js';
export { writeCurlSample } from './curl-sample.js';
export type { SampleServer } from './sample-request.js';
export { SDK_METHODS } from './sdk-methods.js';
export { writeSdkSample } from './sdk-sample.js';
