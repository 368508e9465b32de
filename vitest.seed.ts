// Property tests of the default suite draw the same cases in every run, so that a change is red for what it did and not
// for what was drawn. `PROPERTY_SEED=random` (or a number) draws others: that is how to hunt.
import fc from 'fast-check';

const { PROPERTY_SEED = '20261116' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number.parseInt(PROPERTY_SEED, 10) });
