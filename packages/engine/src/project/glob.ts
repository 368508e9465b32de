/** `*` stands for any run of letters, slashes too; `?` for one. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
}
