export { LogPane } from './log-pane.tsx';
