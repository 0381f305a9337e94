const emblems = {
  leaf: '<path d="M50 88V46M50 60L34 48M50 70l18-14" class="s"/><path d="M50 12c26 14 32 40 0 60C18 52 24 26 50 12z"/>',
  bowl: '<path d="M14 48h72c0 24-14 36-36 36S14 72 14 48z"/><path d="M36 36c-6-8 6-12 0-22M52 36c-6-8 6-12 0-22M68 36c-6-8 6-12 0-22" class="s"/>',
  star: '<path d="M50 10l11 28 30 2-23 19 8 29-26-16-26 16 8-29L9 40l30-2z"/>',
  anchor:
    '<circle cx="50" cy="20" r="9" class="s"/><path d="M50 30v54M32 42h36M16 58c2 18 16 28 34 28s32-10 34-28" class="s"/>',
  glass: '<path d="M28 12h44l-4 40c-2 10-10 14-18 14s-16-4-18-14z"/><path d="M50 64v20M34 88h32" class="s"/>',
  flower:
    '<circle cx="50" cy="26" r="14"/><circle cx="74" cy="44" r="14"/><circle cx="65" cy="72" r="14"/><circle cx="35" cy="72" r="14"/><circle cx="26" cy="44" r="14"/>',
  moon: '<path d="M62 12a40 40 0 1 0 26 56A32 32 0 0 1 62 12z"/><circle cx="78" cy="28" r="5"/>',
  sun: '<path d="M20 66a30 30 0 0 1 60 0z"/><path d="M8 78h84M50 12v14M18 26l9 10M82 26l-9 10" class="s"/>',
  fork: '<path d="M34 12v22c0 8 14 8 14 0V12M41 12v76M68 12c-12 8-12 30 0 36v40" class="s"/>',
  basket: '<path d="M12 42h76l-9 44H21z"/><path d="M28 42l14-28M72 42L58 14" class="s"/>',
  book: '<path d="M50 26C38 16 24 14 12 18v62c12-4 26-2 38 8 12-10 26-12 38-8V18c-12-4-26-2-38 8z"/>',
  wheel:
    '<circle cx="50" cy="50" r="36" class="s"/><path d="M50 14v72M14 50h72M25 25l50 50M75 25L25 75" class="s"/><circle cx="50" cy="50" r="9"/>',
  hammer: '<path d="M20 18h40c10 0 18 6 20 18H62v8H34v-8H20z"/><path d="M48 44v44" class="s wide"/>',
  box: '<path d="M14 30l36-16 36 16v42L50 88 14 72z"/>',
  carrot:
    '<path d="M34 34l32 6c-4 26-22 44-46 50 4-24 6-42 14-56z"/><path d="M62 36l6-22M66 38l20-14" class="s"/>',
  house: '<path d="M12 48L50 14l38 34v40H12z"/>',
  bolt: '<path d="M58 8L22 56h24l-6 36 38-50H52z"/>',
  pot: '<path d="M18 40h64v30c0 10-6 16-16 16H34c-10 0-16-6-16-16z"/><path d="M8 46h12M80 46h12M30 28h40" class="s"/>',
  arch: '<path d="M14 88V46a36 36 0 0 1 72 0v42H66V50a16 16 0 0 0-32 0v38z"/>',
  tent: '<path d="M50 12L10 86h30l10-26 10 26h30z"/>',
  drop: '<path d="M50 8c16 24 28 38 28 54a28 28 0 0 1-56 0C22 46 34 32 50 8z"/>',
  window: '<path d="M18 12h64v76H18z" class="s"/><path d="M50 12v76M18 50h64" class="s"/>',
  shirt: '<path d="M36 14c4 10 24 10 28 0l26 16-10 20-10-4v42H30V46l-10 4-10-20z"/>',
  brush: '<path d="M22 12h56v24H22z"/><path d="M50 36v16M42 52h16v36H42z"/>',
  crane: '<path d="M24 88V20h60M24 32l18-12M70 20v26M62 46h16v14H62zM12 88h28" class="s"/>',
  bricks:
    '<path d="M10 22h34v16H10zM52 22h38v16H52zM10 46h16v16H10zM34 46h34v16H34zM76 46h14v16H76zM10 70h34v16H10zM52 70h38v16H52z"/>',
  tree: '<circle cx="50" cy="36" r="28"/><path d="M50 56v34" class="s wide"/>',
  heart: '<path d="M50 86C18 62 10 46 14 32c6-18 28-18 36-2 8-16 30-16 36 2 4 14-4 30-36 54z"/>',
  bridge:
    '<path d="M6 66c14 0 20-26 44-26s30 26 44 26v12H6z"/><path d="M26 78V56M50 78V42M74 78V56" class="s"/>',
  paw: '<ellipse cx="50" cy="66" rx="22" ry="18"/><circle cx="22" cy="44" r="10"/><circle cx="40" cy="26" r="10"/><circle cx="62" cy="26" r="10"/><circle cx="78" cy="44" r="10"/>',
  cap: '<path d="M50 20L6 42l44 22 44-22z"/><path d="M24 56v18c14 12 38 12 52 0V56M88 46v26" class="s"/>',
  speech: '<path d="M12 18h76v50H48L28 86V68H12z"/>',
  desk: '<path d="M10 40h80M20 40v44M80 40v44" class="s"/><path d="M32 14h36v20H32z"/>',
  half: '<circle cx="50" cy="50" r="36" class="s"/><path d="M50 14a36 36 0 0 1 0 72z"/>',
  comb: '<path d="M14 20h72v20H14z"/><path d="M20 40v44M34 40v36M48 40v44M62 40v36M76 40v44" class="s"/>',
  shield: '<path d="M50 10l36 12v26c0 22-16 34-36 42-20-8-36-20-36-42V22z"/>',
  moving:
    '<path d="M8 28h50v42H8zM60 42h18l14 16v12H60z"/><circle cx="26" cy="76" r="9"/><circle cx="74" cy="76" r="9"/>',
  waves:
    '<path d="M8 36c14-14 28 14 42 0s28 14 42 0M8 56c14-14 28 14 42 0s28 14 42 0M8 76c14-14 28 14 42 0s28 14 42 0" class="s"/>',
  people:
    '<circle cx="34" cy="32" r="14"/><circle cx="68" cy="36" r="12"/><path d="M8 84c0-22 10-32 26-32s26 10 26 32zM64 84c0-14-2-22-6-28 20-6 34 6 34 28z"/>',
  mangle:
    '<circle cx="50" cy="32" r="20" class="s"/><circle cx="50" cy="70" r="16" class="s"/><path d="M8 52h84" class="s"/>',
} as const;
export type Emblem = keyof typeof emblems;
export const emblemNames = Object.keys(emblems) as [Emblem, ...Emblem[]];

const paints = [
  ['#103b2d', '#f6f1e6'],
  ['#b8460f', '#fff6ea'],
  ['#1f5fae', '#eef4ff'],
  ['#f0b93a', '#33270a'],
  ['#f6f1e6', '#8a2a14'],
  ['#5b3d6e', '#f7eefc'],
  ['#2f6f73', '#eafaf7'],
  ['#f3c7b4', '#5a2413'],
  ['#cfe3d2', '#103b2d'],
  ['#26323f', '#f2c14e'],
] as const;
export type Paint = (typeof paints)[number];

export const paintOf = (index: number): Paint => paints[(index * 3) % paints.length] as Paint;

export const emblemIn = (emblem: Emblem, colour: string): string =>
  `<g fill="${colour}"><style>.s{fill:none;stroke:${colour};stroke-width:7;stroke-linecap:round;stroke-linejoin:round}.wide{stroke-width:12}</style>${emblems[emblem]}</g>`;

export const logoOf = (emblem: Emblem, [ground, ink]: Paint): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="-34 -34 168 168"><rect x="-34" y="-34" width="168" height="168" fill="${ground}"/>${emblemIn(emblem, ink)}</svg>`;
