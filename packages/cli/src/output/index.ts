export { age, type OutputFormat, parseFormat, plain, render, styled } from './print.ts';
