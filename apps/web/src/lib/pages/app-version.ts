/** The app's own script, whose name is a hash of it: another name means another version. It is the last of the page's; those before it may stay the same. */
export const appScript = (): string | null =>
  [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src') ?? null;
