/** A frame or three: too short to be felt as waiting, long enough for most answers of a platform nearby. */
const soonMs = 60;

/**
 * What comes soon is waited for, so that the page is drawn once, with it, and not first in grey: to draw twice takes longer
 * than most answers. A page that is still without its answer then is drawn as it is.
 */
export function soon(...asked: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, soonMs);
    void Promise.allSettled(asked).then(() => resolve());
  });
}
