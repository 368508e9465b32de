const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** `15 Nov, 12:03:04`, in the reader's time zone; the text itself when it is no date. */
export function momentWords(moment: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? moment : format.format(at);
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `20 Nov 2026, in 5 days`; the text itself when it is no date. */
export function endWords(moment: string, nowMs: number): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return moment;
  const days = Math.ceil((at - nowMs) / 86_400_000);
  const when = days < 1 ? 'over' : days === 1 ? 'within a day' : `in ${days} days`;
  return `${day.format(at)}, ${when}`;
}
