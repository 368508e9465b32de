export { decodeProtobuf, protobufType } from './decode.ts';
export { ProtobufError } from './wire.ts';
export { double, flag, message, text, whole } from './write.ts';
