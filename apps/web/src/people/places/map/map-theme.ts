/** The map's colours from the page's tokens: WebGL can't read CSS variables. */
export type MapTheme = Record<'land' | 'water' | 'ring' | 'here' | 'edge' | 'text' | 'text2', string>;

const tokens: Record<keyof MapTheme, string> = {
  land: '--land',
  water: '--water',
  ring: '--ring',
  here: '--here',
  edge: '--line-strong',
  text: '--text',
  text2: '--text-2',
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

const channels = (colour: string): number[] => {
  const short = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  if (short) return short.slice(1).map((pair) => Number.parseInt(pair, 16));
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
};

/** Mixes `share` of the second colour into the first, both as `rgb()` or `#rrggbb`. */
export function mixColours(first: string, second: string, share: number): string {
  const a = channels(first);
  const b = channels(second);
  const parts = [0, 1, 2].map((at) => Math.round((a[at] ?? 0) * (1 - share) + (b[at] ?? 0) * share));
  return `rgb(${parts.join(', ')})`;
}

export function isDark({ land }: Pick<MapTheme, 'land'>): boolean {
  const [red = 0, green = 0, blue = 0] = channels(land);
  return red * 0.3 + green * 0.59 + blue * 0.11 < 128;
}

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
