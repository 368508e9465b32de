export { type DiffLine, diffLines } from './diff-lines.ts';
export { age, type OutputFormat, parseFormat, plain, render, styled } from './print.ts';
