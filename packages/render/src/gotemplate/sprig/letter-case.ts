// xstrings' ToSnakeCase, ToKebabCase and ToPascalCase.

const isUpper = (char: string): boolean => char !== char.toLowerCase();
const isDigit = (char: string): boolean => /\p{Nd}/u.test(char);
const isDivider = (char: string): boolean => /[\s_\-.]/u.test(char) || char === ' ';

/** Words parted at spaces, dashes, dots, underscores and where the case changes. */
export function delimitedCase(value: string, delimiter: string): string {
  const chars = [...value];
  let result = '';
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    const previous = chars[i - 1] ?? '';
    const next = chars[i + 1] ?? '';
    if (isDivider(char)) {
      result += result.endsWith(delimiter) && result !== '' && /[\s]/u.test(previous) ? '' : delimiter;
      continue;
    }
    const startsWord =
      isUpper(char) && i > 0 && !isDivider(previous) && (!isUpper(previous) || (next !== '' && isLowerLetter(next)));
    result += (startsWord && !result.endsWith(delimiter) ? delimiter : '') + char.toLowerCase();
  }
  return result;
}

const isLowerLetter = (char: string): boolean => char !== char.toUpperCase() && !isDigit(char);

export function camelCase(value: string): string {
  let result = '';
  let raise = true;
  for (const char of value) {
    if (isDivider(char)) {
      raise = true;
      continue;
    }
    result += raise ? char.toUpperCase() : char;
    raise = false;
  }
  return result;
}
