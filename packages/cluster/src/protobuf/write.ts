// Protocol Buffers on the wire, write only: as much as the answers need that are asked for in no other form.

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

const delimited = (number: number, body: Buffer) => Buffer.concat([varint(number * 8 + 2), varint(body.length), body]);

/** A field of text; nothing for text that is absent or empty, which is the same on this wire. */
export const text = (number: number, value: unknown): Buffer =>
  typeof value === 'string' && value !== '' ? delimited(number, Buffer.from(value)) : Buffer.alloc(0);

export const flag = (number: number, value: unknown): Buffer =>
  value === true ? Buffer.concat([varint(number * 8), varint(1)]) : Buffer.alloc(0);

export const whole = (number: number, value: unknown): Buffer =>
  typeof value === 'number' && value > 0
    ? Buffer.concat([varint(number * 8), varint(Math.floor(value))])
    : Buffer.alloc(0);

export function double(number: number, value: unknown): Buffer {
  if (typeof value !== 'number' || value === 0) return Buffer.alloc(0);
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint(number * 8 + 1), bytes]);
}

/** A message inside another, from its own fields. */
export const message = (number: number, ...fields: readonly Buffer[]): Buffer =>
  delimited(number, Buffer.concat(fields));
