export { type ApplicationEvent, type EventReason, eventReasons, eventsBetween } from './application-events.ts';
export { EventRecorder, parseReasons } from './event-recorder.ts';
