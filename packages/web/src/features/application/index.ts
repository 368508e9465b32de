export { ApplicationPage } from './application-page.tsx';
