export { decodeProtobuf, protobufType } from './decode.ts';
export { ProtobufError } from './wire.ts';
