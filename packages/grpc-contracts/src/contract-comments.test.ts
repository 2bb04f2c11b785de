import { createFileRegistry, fromBinary, type DescFile, type DescMethod } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { status } from '@grpc/grpc-js';
import { describe, expect, test } from '@jest/globals';
import { readDescriptor } from './descriptor.js';
import { TABLES_ERROR_STATUS } from './tables-error.js';

// Field numbers of descriptor.proto, of which a comment's path is made.
const ENUM_OF_FILE = 5;
const SERVICE_OF_FILE = 6;
const METHOD_OF_SERVICE = 2;
const VALUE_OF_ENUM = 2;

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readDescriptor()));
const STATUS_OF: ReadonlyMap<string, status> = new Map(Object.entries(TABLES_ERROR_STATUS));
const rpcs = [...registry].filter((desc) => desc.kind === 'service').flatMap((service) => service.methods);

describe('an rpc says when it may be called, what results and how it is refused', () => {
  test.each(rpcs.map((rpc) => [`${rpc.parent.name}.${rpc.name}`, rpc] as const))('%s', (_name, rpc) => {
    const comment = getComment(rpc);
    expect(comment).toMatch(/\. From /);
    expect(comment).toMatch(/\b([Rr]esults in|[Cc]hanges nothing|From [a-zA-Z ]+ to [a-zA-Z]+)\b/);
    expect(comment).toMatch(/\b(Errors: [A-Z]|No errors of its own)/);
  });
});

describe('a refusal in a comment names the status that goes with its code', () => {
  const named = rpcs.flatMap((rpc) =>
    [...getComment(rpc).matchAll(/\b([A-Z_]+) with ([A-Z_]+)\b/g)]
      .filter(([, , code = '']) => STATUS_OF.has(code))
      .map(([, said = '', code = '']) => [`${rpc.parent.name}.${rpc.name}`, code, said] as const),
  );
  test.each(named)('%s: %s is %s', (_rpc, code, said) => {
    expect(said).toBe(status[STATUS_OF.get(code) ?? status.OK]);
  });
  test('and there are such refusals', () => expect(named.length).toBeGreaterThan(10));
});

test('each code says its status at its own place too', () => {
  const desc = registry.getEnum('service.tables.v1.TablesErrorCode');
  if (desc === undefined) throw new Error('the contract has no TablesErrorCode');
  const said = desc.values
    .filter((code) => code.number !== 0)
    .map((code, index) => {
      const comment = commentAt(desc.file, [ENUM_OF_FILE, desc.file.enums.indexOf(desc), VALUE_OF_ENUM, index + 1]);
      return [code.name, /([A-Z_]+)\.$/.exec(comment)?.[1]];
    });
  const meant = Object.entries(TABLES_ERROR_STATUS)
    .filter(([code]) => code !== 'UNRECOGNIZED' && !code.endsWith('_UNSPECIFIED'))
    .map(([code, of]) => [code, status[of]]);
  expect(said).toEqual(meant);
});

function getComment(rpc: DescMethod): string {
  const { parent } = rpc;
  const service = parent.file.services.indexOf(parent);
  return commentAt(parent.file, [SERVICE_OF_FILE, service, METHOD_OF_SERVICE, parent.methods.indexOf(rpc)]);
}

function commentAt(file: DescFile, path: number[]): string {
  const found = file.proto.sourceCodeInfo?.location.find((location) => location.path.join() === path.join());
  return (found?.leadingComments ?? '').replace(/\s+/g, ' ').trim();
}
