export { decodeProtobuf, protobufType } from './decode.ts';
export { messageFields } from './schema.ts';
export { ProtobufError } from './wire.ts';
export { double, flag, message, text, whole } from './write.ts';
