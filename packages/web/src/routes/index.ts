export { type AppRouter, createAppRouter } from './router.tsx';
