// Which failures of the database mean what; pg gives codes, and for a lost connection only texts.

const codeOf = (thrown: unknown): string => {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** pg names no class for these; the texts are its own and stable. */
const lostTexts = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'not queryable', // a connection that was cut between two queries
];

/** True for a lost or refused connection, a stopping server (class 57P), too many connections (53), and time-outs. */
export function isStoreUnavailable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (/^(08|53|57)/.test(code) || /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH)$/.test(code))
    return true;
  return thrown instanceof Error && lostTexts.some((text) => thrown.message.includes(text));
}

/** True when the database refuses the value itself (class 22: data, 23: constraint, 54: limit); trying again is useless. */
export function isDataError(thrown: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(thrown));
}
