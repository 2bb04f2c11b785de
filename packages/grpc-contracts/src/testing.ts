import {
  createFileRegistry,
  fromBinary,
  ScalarType,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc, { type Arbitrary } from 'fast-check';
import { readDescriptor } from './descriptor.js';

/** The contracts as their descriptor image says them, without any generated code. */
export const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readDescriptor()));

/** Lists get at most this many elements, so that nested messages stay small. */
const LIST_MAX = 2;

/** What an arbitrary message may contain. */
export interface MessageDensity {
  /** False: messages, oneofs and enums are always set, numbers are below 2^53 and texts are what JSON may carry. */
  readonly anything: boolean;
  /** Makes a message agree with itself. */
  readonly agree?: (typeName: string, message: Record<string, unknown>) => Record<string, unknown>;
}

/** An arbitrary message in the form of the generated types. */
export function anyMessage(desc: DescMessage, abundance: MessageDensity): Arbitrary<Record<string, unknown>> {
  return fc
    .record(
      Object.fromEntries(
        desc.members.map((member) => [
          member.localName,
          member.kind === 'oneof' ? anyCase(member, abundance) : anyField(member, abundance),
        ]),
      ),
    )
    .map((message) => abundance.agree?.(desc.typeName, message) ?? message);
}

function anyCase(oneof: DescOneof, abundance: MessageDensity): Arbitrary<unknown> {
  const cases = oneof.fields.map((field) =>
    fc.record({ $case: fc.constant(field.localName), value: anyValue(field, abundance) }),
  );
  return abundance.anything ? fc.option(fc.oneof(...cases), { nil: undefined }) : fc.oneof(...cases);
}

function anyField(field: DescField, abundance: MessageDensity): Arbitrary<unknown> {
  if (field.fieldKind === 'list') return fc.array(anyValue(field, abundance), { maxLength: LIST_MAX });
  if (field.fieldKind === 'map') {
    // A generated map is a plain object, and of such a one this name is not its own.
    const name = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text !== '__proto__');
    return fc.dictionary(name, anyValue(field, abundance), { maxKeys: LIST_MAX, noNullPrototype: true });
  }
  const mayBeAbsent = field.proto.proto3Optional || (abundance.anything && field.fieldKind === 'message');
  return mayBeAbsent ? fc.option(anyValue(field, abundance), { nil: undefined }) : anyValue(field, abundance);
}

function anyValue(field: DescField, abundance: MessageDensity): Arbitrary<unknown> {
  if (field.message?.typeName === 'google.protobuf.Timestamp') return anyTime();
  if (field.message !== undefined) return anyMessage(field.message, abundance);
  if (field.enum !== undefined) return anyEnum(field.enum, abundance);
  const scalar = anyScalar(abundance).get(field.scalar);
  if (scalar === undefined) throw new Error(`${field.toString()} is of a type that the contracts do not use`);
  return scalar;
}

function anyScalar({ anything }: MessageDensity): ReadonlyMap<ScalarType, Arbitrary<unknown>> {
  return new Map<ScalarType, Arbitrary<unknown>>([
    [ScalarType.STRING, fc.string({ unit: anything ? 'binary' : 'grapheme' })],
    [ScalarType.BOOL, fc.boolean()],
    [ScalarType.INT32, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
    [
      ScalarType.INT64,
      anything ? fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) : fc.maxSafeInteger().map(BigInt),
    ],
    [ScalarType.BYTES, fc.uint8Array().map((bytes) => Buffer.from(bytes))],
  ]);
}

function anyEnum(desc: DescEnum, { anything }: MessageDensity): Arbitrary<string> {
  return fc.constantFrom(...desc.values.filter((value) => anything || value.number !== 0).map((value) => value.name));
}

function anyTime(): Arbitrary<Date> {
  return fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
}
