// Words and addresses that strangers wrote, made safe to show. React makes text of them anyway; this is about addresses
// that act, and about characters that make a text look like another one.

const linkSchemes: readonly string[] = ['http:', 'https:', 'mailto:'];

/** The address if it may become a link, decided on what the browser would make of it; else undefined. */
export function safeUrl(url: string | undefined): string | undefined {
  if (!url || !/^[a-z]+:/i.test(url)) return undefined; // only absolute: `//elsewhere` is not ours to open
  try {
    const parsed = new URL(url);
    return linkSchemes.includes(parsed.protocol) ? parsed.href : undefined;
  } catch {
    return undefined; // no address at all
  }
}

/**
 * Direction overrides, zero-width and control characters: what hides or turns round the text about it.
 * Joiners stay: emoji are made with them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** At most this many characters of one line are of use to anybody. */
const longest = 500;

/** Hidden characters become marks that can be seen. */
export const markHidden = (text: string): string =>
  text.replaceAll(hidden, (mark) => `⟨${mark.codePointAt(0)?.toString(16).padStart(4, '0').toUpperCase()}⟩`);

/** As `markHidden`, and endless texts are cut. */
export function visibleText(text: string): string {
  const marked = markHidden(text.slice(0, longest + 1));
  return text.length > longest ? `${marked.slice(0, longest)}…` : marked;
}
