// The look of tabs, shared by links that act as tabs of a page and by React Aria's tabs.
export const tabListClass = 'flex gap-5 overflow-x-auto border-b border-line';
export const tabClass =
  '-mb-px cursor-pointer border-b-2 border-transparent py-2 text-muted whitespace-nowrap outline-offset-[-2px] hover:text-text data-[selected]:border-accent data-[selected]:font-semibold data-[selected]:text-text';
