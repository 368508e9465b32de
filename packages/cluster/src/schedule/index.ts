export { scheduleProblem } from './problem.ts';
export { nextTime, parseSchedule, zoneOffset } from './schedule.ts';
