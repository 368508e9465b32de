/** `*` is any text, `?` one character, all else itself. Steps back to the last star only, so time is at most |pattern| × |text|. */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = [...pattern];
  const given = [...text];
  let star = -1;
  let resume = 0;
  let at = 0;
  for (let read = 0; read < given.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      resume = read;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++resume;
    } else return false;
  }
  return wanted.slice(at).every((rest) => rest === '*');
}
