export { UserMenu } from './user-menu.tsx';
export { rememberWantedPage, safePage, startPage, takeWantedPage } from './wanted-page.ts';
