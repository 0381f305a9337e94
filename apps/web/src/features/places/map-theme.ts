/** The map's colours, read from the tokens of the page: WebGL knows no CSS variables. */
export type MapTheme = Record<
  'land' | 'block' | 'street' | 'water' | 'park' | 'ring' | 'here' | 'edge',
  string
>;

const tokens: Record<keyof MapTheme, string> = {
  land: '--land',
  block: '--block',
  street: '--street',
  water: '--water',
  park: '--park',
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

/** Calls back when the page turns light or dark, by the device or by a setting. Answers how to stop. */
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
