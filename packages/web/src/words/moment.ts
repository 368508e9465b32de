const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** `15 Nov, 12:03:04`, in the reader's time zone; the text itself when it is no date. */
export function momentWords(moment: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? moment : format.format(at);
}
