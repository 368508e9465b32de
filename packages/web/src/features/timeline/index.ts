export { PastBanner } from './past-banner.tsx';
export { Timeline } from './timeline.tsx';
