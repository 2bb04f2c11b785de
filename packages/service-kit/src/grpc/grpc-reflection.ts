import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { Defect } from '@pos/core/refusals';

/** Serves the contracts in the compiled descriptor image to clients. Never in production. */
export function addReflection(server: Server, descriptorImage: Uint8Array, services: readonly string[]): void {
  getReflectionService(descriptorImage, services).addToServer(server);
}

/** The service of the port that was opened last. Parsing all contracts takes longer than opening a port. */
let latestReflection: {
  readonly image: Uint8Array;
  readonly names: string;
  readonly service: ReflectionService;
} | null = null;

function getReflectionService(image: Uint8Array, services: readonly string[]): ReflectionService {
  const names = services.join();
  if (
    latestReflection === null ||
    latestReflection.names !== names ||
    Buffer.compare(latestReflection.image, image) !== 0
  ) {
    // The service reads only the serialised files of a package definition.
    const definition = { image: { fileDescriptorProtos: splitDescriptorFiles(image) } } as unknown as ReflectionPackage;
    latestReflection = { image, names, service: new ReflectionService(definition, { services: [...services] }) };
  }
  return latestReflection.service;
}

type ReflectionPackage = ConstructorParameters<typeof ReflectionService>[0];

const FILE_TAG = 0x0a;

/** A FileDescriptorSet has one repeated field, so its bytes repeat: tag, length, file. */
function splitDescriptorFiles(image: Uint8Array): Buffer[] {
  const files: Buffer[] = [];
  let offset = 0;
  while (offset < image.length) {
    if (image[offset] !== FILE_TAG) throw new Defect('the descriptor image is not a FileDescriptorSet');
    const { value: length, next } = readVarint(image, offset + 1);
    if (next + length > image.length) throw new Defect('the descriptor image ends in the middle of a file');
    files.push(Buffer.from(image.subarray(next, next + length)));
    offset = next + length;
  }
  return files;
}

const VARINT_BYTES_MAX = 4;

function readVarint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let byteIndex = 0; byteIndex < VARINT_BYTES_MAX; byteIndex += 1) {
    const byte = bytes[start + byteIndex];
    if (byte === undefined) break;
    value |= (byte & 0x7f) << (7 * byteIndex);
    if ((byte & 0x80) === 0) return { value, next: start + byteIndex + 1 };
  }
  throw new Defect('the descriptor image has a malformed length');
}
