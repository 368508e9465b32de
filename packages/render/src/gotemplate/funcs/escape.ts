// html, js and urlquery.

const htmlEscapes: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\uFFFD',
};

export const escapeHtml = (text: string): string => text.replace(/["'&<>\0]/g, (char) => htmlEscapes[char] ?? char);

const jsEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

export function escapeJs(text: string): string {
  let escaped = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (jsEscapes[char] !== undefined) escaped += jsEscapes[char];
    else if (code < 0x20 || (code >= 0x7f && !/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(char))) {
      escaped += `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
    } else escaped += char;
  }
  return escaped;
}

/** url.QueryEscape: a space is a plus sign. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
