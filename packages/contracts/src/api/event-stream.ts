// Server-Sent Events as both sides of this API use them: each event is one `data:` line of JSON, an error that comes after
// the head is an event named `error` with the body that an error answer would have had. Comments keep the line open.

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** An event on the wire; JSON has no raw line breaks, so one line carries it. */
export function writeEvent(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A comment; readers pass over it. */
export const keepAliveEvent = ':\n\n';

/** Events without data are passed over. Ends the request when the reader leaves early. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      unread += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      const blocks = unread.split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event.data !== '') yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the stream has ended or failed already: nothing left to end
  }
}

function eventOf(block: string): StreamEvent {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice('event:'.length).trim();
    else if (line.startsWith('data:')) data.push(line.slice('data:'.length).trim());
  }
  return { event, data: data.join('\n') };
}
