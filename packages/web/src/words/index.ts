export { ageOf, durationWords, longAge, longAgo, shortAge, shortAgo } from './age.ts';
export { briefCount, counted, formatCount } from './counted.ts';
export { plainLine } from './log-line.ts';
export { clockTime, type LogLevel, type LogRecord, logRecord } from './log-record.ts';
export { endWords, momentWords } from './moment.ts';
export { authorName, firstLine, imageVersion, lastChange, shortRevision } from './revision.ts';
export { safeUrl, visibleText } from './safe.ts';
export { healthByAttention, healthWord, statusWords, syncWord } from './status.ts';
