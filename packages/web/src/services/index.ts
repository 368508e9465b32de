export { type Services, ServicesProvider, useApi, useClock, useFeed, useFeedState, useNow } from './services.tsx';
