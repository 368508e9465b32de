export { ErrorPage, NotFoundPage } from './error-page.tsx';
export { Frame, pageScrollId, pageSearchId } from './frame.tsx';
