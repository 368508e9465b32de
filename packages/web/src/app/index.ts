export { App } from './app.tsx';
export { composeApp } from './compose.ts';
