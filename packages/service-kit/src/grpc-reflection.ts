import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { Defect } from '@pos/core/assert';

/** Lets clients ask the server for its contracts, as compiled into the descriptor image. Never in production. */
export function addReflection(server: Server, descriptorImage: Uint8Array, services: readonly string[]): void {
  // The service reads nothing of a package definition but the serialised files.
  const image = { image: { fileDescriptorProtos: filesOf(descriptorImage) } } as unknown as ReflectedPackage;
  new ReflectionService(image, { services: [...services] }).addToServer(server);
}

type ReflectedPackage = ConstructorParameters<typeof ReflectionService>[0];

const FILE_TAG = 0x0a;

/** A FileDescriptorSet has one repeated field, so its bytes are: tag, length, file, again and again. */
function filesOf(image: Uint8Array): Buffer[] {
  const files: Buffer[] = [];
  let at = 0;
  while (at < image.length) {
    if (image[at] !== FILE_TAG) throw new Defect('the descriptor image is not a FileDescriptorSet');
    const { value: length, next } = varint(image, at + 1);
    if (next + length > image.length) throw new Defect('the descriptor image ends in the middle of a file');
    files.push(Buffer.from(image.subarray(next, next + length)));
    at = next + length;
  }
  return files;
}

const VARINT_BYTES_MAX = 4;

function varint(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let place = 0; place < VARINT_BYTES_MAX; place += 1) {
    const byte = bytes[start + place];
    if (byte === undefined) break;
    value |= (byte & 0x7f) << (7 * place);
    if ((byte & 0x80) === 0) return { value, next: start + place + 1 };
  }
  throw new Defect('the descriptor image has a malformed length');
}
