export { type News, notify } from './notify.ts';
export { healthNews, syncNews } from './of-applications.ts';
export { countUnread, listNotifications, markRead, notificationById } from './read.ts';
export { watchForNews } from './watch.ts';
