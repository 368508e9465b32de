/** The fast reader does not read this text; js-yaml does, or says what is wrong with it. Never seen outside. */
class LeftToOthers extends Error {}

/** One for all: nobody asks where it was thrown, and a stack costs more than the text it gives up. */
export const leftToOthers = new LeftToOthers('left to js-yaml');
