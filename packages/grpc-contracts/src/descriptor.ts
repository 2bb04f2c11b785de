import { readFileSync } from 'node:fs';

/**
 * The compiled contracts as a serialised google.protobuf.FileDescriptorSet, for gRPC reflection and for clients that
 * are built at run time. Read from the package's own folder on each call.
 */
export function readDescriptor(): Buffer {
  return readFileSync(new URL('../descriptor.binpb', import.meta.url));
}
