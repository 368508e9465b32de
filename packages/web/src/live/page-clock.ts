/** Time as the page sees it. The browser's is made in `app/`, tests bring their own. */
export interface PageClock {
  /** Milliseconds since 1970, corrected by what the server says its time is. */
  now(): number;
  /** Calls back once; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}
