// The few forms of DER (ITU-T X.690) that an X.509 certificate needs, written only, never read.

function length(bytes: number): Buffer {
  if (bytes < 128) return Buffer.from([bytes]);
  const digits = bytes.toString(16);
  const body = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | body.length]), body]);
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
export const octets = (content: Buffer): Buffer => tagged(0x04, content);
/** Whole bytes: no unused bits. */
export const bits = (content: Buffer, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
/** Context-specific, holding other values. */
export const explicit = (number: number, ...parts: readonly Buffer[]): Buffer => tagged(0xa0 | number, ...parts);
/** Context-specific, standing for a primitive value. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content);

/** A positive number of any size, big-endian. */
export function integer(magnitude: Buffer): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const trimmed = first < 0 ? Buffer.from([0]) : magnitude.subarray(first);
  // A leading one bit would read as a minus sign.
  return tagged(0x02, ...((trimmed[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []), trimmed);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const group = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) group.unshift(0x80 | (left & 0x7f));
    bytes.push(...group);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** Years before 2050 have two digits (RFC 5280 §4.1.2.5). */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return text < '2050' ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}
