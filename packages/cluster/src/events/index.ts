export { EventExpiry } from './event-expiry.ts';
export { type EventInput, EventRecorder } from './event-recorder.ts';
