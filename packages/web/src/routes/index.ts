export { type AppRouter, createAppRouter, type RouterContext } from './router.tsx';
