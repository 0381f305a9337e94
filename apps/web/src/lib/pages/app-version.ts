/**
 * The app's own script, whose name contains its hash. It is the page's last; those before it may stay the
 * same across versions.
 */
export const appScript = (): string | null =>
  [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src') ?? null;
