export { CommandBar } from './command-bar.tsx';
