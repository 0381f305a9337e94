/** The scrolling part of the page on screen; other pages are mounted, but hidden. */
export const visibleMain = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('.page-holder main')].find((main) => main.checkVisibility());
