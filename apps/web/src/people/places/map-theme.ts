/** The map's colours from the page's tokens: WebGL can't read CSS variables. */
export type MapTheme = Record<'land' | 'water' | 'ring' | 'here' | 'edge', string>;

const tokens: Record<keyof MapTheme, string> = {
  land: '--land',
  water: '--water',
  ring: '--ring',
  here: '--here',
  edge: '--line-strong',
};

export function readTheme(element: HTMLElement): MapTheme {
  const probe = document.createElement('span');
  element.append(probe);
  const theme = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      probe.style.color = `var(${token})`;
      return [name, getComputedStyle(probe).color];
    }),
  ) as MapTheme;
  probe.remove();
  return theme;
}

/** Calls back when the page turns light or dark. Returns a function that stops it. */
export function watchTheme(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const watch = new MutationObserver(changed);
  dark.addEventListener('change', changed);
  watch.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'class', 'style'],
  });
  return () => {
    dark.removeEventListener('change', changed);
    watch.disconnect();
  };
}
