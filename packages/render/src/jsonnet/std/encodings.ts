// Bytes, hashes, and texts in other languages read into values.
import { createHash } from 'node:crypto';
import { RenderError } from '../../errors.ts';
import { parseDocuments } from '../../yaml/index.ts';
import { JsonnetError } from '../errors.ts';
import type { Evaluator } from '../evaluator.ts';
import { JsonnetArray, JsonnetObject, type JsonnetValue, Thunk } from '../values.ts';
import { type Args, type Builtins, builtin } from './define.ts';

/** JSON as a value of the program. */
function valueOfJson(json: unknown, evaluator: Evaluator): JsonnetValue {
  if (Array.isArray(json)) return new JsonnetArray(json.map((item) => Thunk.of(valueOfJson(item, evaluator))));
  if (typeof json === 'object' && json !== null) {
    const members = Object.entries(json).map(([name, member]): [string, Thunk] => [
      name,
      Thunk.of(valueOfJson(member, evaluator)),
    ]);
    return JsonnetObject.of(members, evaluator);
  }
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return json;
  return null;
}

function bytesOf(args: Args): Buffer {
  const value = args.value(0);
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  const codes = args.array(0).values();
  return Buffer.from(
    codes.map((code) => {
      if (typeof code === 'number' && Number.isInteger(code) && code >= 0 && code < 256) return code;
      throw new JsonnetError('bytes must be numbers from 0 to 255');
    }),
  );
}

const hash = (algorithm: string) =>
  builtin(algorithm === 'md5' ? 's' : 'str', (args) =>
    createHash(algorithm).update(args.text(0), 'utf8').digest('hex'),
  );

function parseJson(args: Args): JsonnetValue {
  try {
    return valueOfJson(JSON.parse(args.text(0)), args.evaluator);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new JsonnetError(`failed to parse JSON: ${cause.message}`);
  }
}

function parseYaml(args: Args): JsonnetValue {
  try {
    const documents = parseDocuments(args.text(0), 'std.parseYaml');
    const isStream = /^---/m.test(args.text(0)) && documents.length > 1;
    return valueOfJson(isStream ? documents : documents[0], args.evaluator);
  } catch (cause) {
    if (!(cause instanceof RenderError) || cause instanceof JsonnetError) throw cause;
    throw new JsonnetError(`failed to parse YAML: ${cause.message}`);
  }
}

function decoded(text: string): Buffer {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new JsonnetError('failed to decode: illegal base64 data');
  return Buffer.from(text, 'base64');
}

export const encodingFunctions: Builtins = {
  base64: builtin('input', (args) => bytesOf(args).toString('base64')),
  base64Decode: builtin('str', (args) => decoded(args.text(0)).toString('utf8')),
  base64DecodeBytes: builtin('str', (args) => JsonnetArray.of([...decoded(args.text(0))])),
  encodeUTF8: builtin('str', (args) => JsonnetArray.of([...Buffer.from(args.text(0), 'utf8')])),
  decodeUTF8: builtin('arr', (args) => bytesOf(args).toString('utf8')),
  md5: hash('md5'),
  sha1: hash('sha1'),
  sha256: hash('sha256'),
  sha512: hash('sha512'),
  sha3: hash('sha3-512'),
  parseJson: builtin('str', parseJson),
  parseYaml: builtin('str', parseYaml),
};
