export { type DiffLine, diffLines } from './diff-lines.ts';
export { diffText } from './diff-text.ts';
export { age, type Column, type OutputFormat, parseFormat, plain, render, styled } from './print.ts';
