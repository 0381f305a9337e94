/** The app's own script, whose name contains its hash. It is the page's last. */
export const appScript = (): string | null =>
  [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src') ?? null;
