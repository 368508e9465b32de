// The formats that Helm checks and that can be told apart without guessing; those that are not here hold for every text.
import { isIPv4, isIPv6 } from 'node:net';

const hostname = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const uuid = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/i;

export const schemaFormats = {
  ipv4: isIPv4,
  ipv6: isIPv6,
  uuid,
  hostname: (text: string) => text.length <= 255 && hostname.test(text),
  date: isDate,
  uri: (text: string) => /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s\\]*$/.test(text),
} as const;

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
