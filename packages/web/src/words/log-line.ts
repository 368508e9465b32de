// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals are steered by control characters
import { markHidden } from './safe.ts';

// Escape sequences of terminals: titles, links and clipboard writes (OSC), colours and cursor moves (CSI), the rest.

const escapes =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b\[[0-9;:?<>=!]*[ -/]*[@-~]|\u001b[@-Z\\-_()#][0-9A-Za-z]?/g;

/** More of one line is not drawn; the download has all of it. */
const longest = 8192;

/** A line that a program wrote, as text alone: no escape sequence acts, what a `\r` wiped out is gone, its end is cut. */
export function plainLine(line: string): string {
  const text = line.slice(0, longest * 2).replaceAll(escapes, '');
  const shown = text.split('\r').filter(Boolean).at(-1) ?? '';
  return markHidden(shown.length > longest ? `${shown.slice(0, longest)}… (cut)` : shown);
}
