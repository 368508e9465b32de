export { SetupGuide } from './setup-guide.tsx';
