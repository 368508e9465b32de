// The query of the URL as plain text values: a code of digits stays text, and commas of filter lists stay readable.
export function parseQuery(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function formatQuery(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(
    ([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number',
  );
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%2F', '/')}`;
}
