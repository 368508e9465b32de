// goutils.WrapCustom: lines of a width, broken at spaces; long words stay whole unless told otherwise.
export function wrapText(value: string, width: number, newLine: string, breakLongWords: boolean): string {
  const separator = newLine === '' ? '\n' : newLine;
  const limit = Math.max(width, 1);
  let wrapped = '';
  let from = 0;
  while (value.length - from > limit) {
    if (value[from] === ' ') {
      from++;
      continue;
    }
    const space = value.lastIndexOf(' ', from + limit);
    if (space >= from) {
      wrapped += value.slice(from, space) + separator;
      from = space + 1;
    } else if (breakLongWords) {
      wrapped += value.slice(from, from + limit) + separator;
      from += limit;
    } else {
      const next = value.indexOf(' ', from + limit);
      if (next < 0) {
        wrapped += value.slice(from);
        from = value.length;
      } else {
        wrapped += value.slice(from, next) + separator;
        from = next + 1;
      }
    }
  }
  return wrapped + value.slice(from);
}
