export { type Services, ServicesProvider, useApi, useClock, useFeed, useFeedState, useNow } from './services.tsx';
export { useChange } from './use-change.ts';
