export { ageOf, longAge, shortAge } from './age.ts';
export { briefCount, counted, formatCount } from './counted.ts';
export { firstLine, imageVersion, shortRevision } from './revision.ts';
export { healthByAttention, healthWord, statusWords, syncWord } from './status.ts';
