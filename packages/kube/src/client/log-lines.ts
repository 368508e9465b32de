// A pod's log with timestamps on the wire: lines of text that each begin with their time, cut anywhere by TCP.

export interface TimedLine {
  /** RFC 3339, as the node wrote it; '' for a line without. */
  readonly time: string;
  readonly text: string;
}

/** A line longer than `maxLength` characters comes in parts, each with the time of the line. */
export async function* timedLines(
  chunks: AsyncIterable<Buffer>,
  { maxLength }: { readonly maxLength: number },
): AsyncGenerator<TimedLine, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let goesOn: string | undefined;
  const taken = (text: string): TimedLine => {
    const line = goesOn === undefined ? parsed(text) : { time: goesOn, text };
    goesOn = undefined;
    return line;
  };
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield taken(line);
    if (rest.length > maxLength) {
      const part = taken(rest);
      yield part;
      goesOn = part.time;
      rest = '';
    }
  }
  if (rest !== '') yield taken(rest);
}

function parsed(line: string): TimedLine {
  const [, time = '', text = line] = /^(\d{4}-\d\d-\d\dT\S+) ?(.*)$/s.exec(line) ?? [];
  return { time, text };
}
