export { useFavourites } from './favourites.ts';
export { type SavedView, useSavedViews } from './saved-views.ts';
