export const visibleMain = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('.page-holder main')].find((main) => main.checkVisibility());

/** Focuses an element, even one that is not in the tab order, without scrolling to it. */
export function focusQuietly(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

export function focusVisiblePage(): void {
  const main = visibleMain();
  const target = main?.querySelector<HTMLElement>('h1') ?? main;
  if (target) focusQuietly(target);
}
