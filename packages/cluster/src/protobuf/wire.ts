// Protocol Buffers on the wire, read only: numbers, 64-bit and length-delimited fields. The old groups are refused.
import { FairleadError } from '@fairlead/base';

export class ProtobufError extends FairleadError {
  constructor(message: string) {
    super('bad_protobuf', message);
  }
}

export type WireField =
  | { readonly number: number; readonly type: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly type: 'fixed64' | 'bytes'; readonly value: Buffer };

export function* readFields(buffer: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = buffer[at++];
      if (byte === undefined) throw new ProtobufError('a number ends early');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtobufError('a number has more than ten bytes');
  };
  const take = (bytes: number): Buffer => {
    if (bytes < 0 || at + bytes > buffer.length) throw new ProtobufError('a field ends early');
    at += bytes;
    return buffer.subarray(at - bytes, at);
  };
  while (at < buffer.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const wireType = tag & 7;
    if (wireType === 0) yield { number, type: 'varint', value: varint() };
    else if (wireType === 1) yield { number, type: 'fixed64', value: take(8) };
    else if (wireType === 2) yield { number, type: 'bytes', value: take(Number(varint())) };
    else if (wireType === 5) take(4);
    else throw new ProtobufError(`wire type ${wireType} is not used by Kubernetes`);
  }
}
