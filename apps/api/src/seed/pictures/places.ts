import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { createChance } from '../town/town.ts';
import { type Emblem, emblemIn, type Paint } from './emblems.ts';
import { seedOf } from './faces.ts';

const walls = ['#8a3f2b', '#a85a36', '#6d4a3a', '#c9a877', '#5f6f68', '#d8cbb2', '#7d3b45'] as const;
const skies = ['#cfe0e8', '#f4dcc0', '#dfe6e1', '#e6dcec'] as const;

function gable(kind: number, left: number, width: number, top: number): string {
  const right = left + width;
  const mid = left + width / 2;
  if (kind === 0) return `M${left} ${top + 70}L${mid} ${top}L${right} ${top + 70}`;
  if (kind === 1)
    return `M${left} ${top + 70}v-24h${width / 5}v-24h${width / 5}v-22h${width / 5}v22h${width / 5}v24h${width / 5}v24`;
  if (kind === 2)
    return `M${left} ${top + 70}c${width / 6} 0 ${width / 5}-60 ${width / 3}-62h${width / 3}c${width / 6} 2 ${width / 6} 62 ${width / 3} 62`;
  return `M${left} ${top + 40}H${right}`;
}

function street(chance: ReturnType<typeof createChance>): string {
  const houses: string[] = [];
  let skyline = -20;
  while (skyline < 1024) {
    const width = chance.between(110, 190);
    const top = chance.between(40, 150);
    const wall = chance.pick(walls);
    houses.push(
      `<path d="${gable(chance.between(0, 3), skyline, width, top)}V536H${skyline}z" fill="${wall}"/>`,
      ...[top + 110, top + 190, top + 270].map((y) =>
        [0.2, 0.6]
          .map(
            (at) =>
              `<rect x="${skyline + width * at}" y="${y}" width="${width * 0.22}" height="48" fill="#f7f1e2"/><rect x="${skyline + width * at + 3}" y="${y + 3}" width="${width * 0.22 - 6}" height="42" fill="#2c3f45"/>`,
          )
          .join(''),
      ),
    );
    skyline += width;
  }
  return houses.join('');
}

function outside(category: CategoryId, ink: string): string {
  if (category === 'hospitality' || category === 'events')
    return [150, 320, 760]
      .map(
        (x) =>
          `<rect x="${x}" y="486" width="80" height="8" fill="#3a2c22"/><rect x="${x + 36}" y="494" width="8" height="40" fill="#3a2c22"/><path d="M${x - 30} 500h22v34M${x + 110} 500h-22v34" fill="none" stroke="#3a2c22" stroke-width="7"/>`,
      )
      .join('');
  if (category === 'construction' || category === 'trades' || category === 'logistics')
    return [120, 190, 800]
      .map(
        (x) =>
          `<rect x="${x}" y="476" width="64" height="58" fill="#b98a52"/><path d="M${x} 496h64M${x + 32} 476v58" stroke="#8a6234" stroke-width="4"/>`,
      )
      .join('');
  return [150, 800, 880]
    .map(
      (x) =>
        `<path d="M${x} 500h56l-8 36h-40z" fill="${ink}"/><circle cx="${x + 28}" cy="470" r="34" fill="#3f7d52"/><circle cx="${x + 48}" cy="486" r="22" fill="#2f6a44"/>`,
    )
    .join('');
}

export function placeOf(name: string, category: CategoryId, emblem: Emblem, [ground, ink]: Paint): string {
  const chance = createChance(seedOf(name));
  const stripes = Array.from(
    { length: 12 },
    (_, index) =>
      `<path d="M${252 + index * 44} 300h44l6 62a25 14 0 0 1-50 0z" fill="${index % 2 === 0 ? ground : '#fffaf0'}"/>`,
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="576" viewBox="0 0 1024 576">
<rect width="1024" height="576" fill="${chance.pick(skies)}"/>
${street(chance)}
<rect x="232" y="236" width="570" height="300" fill="#2b2a28"/><rect x="232" y="236" width="570" height="66" fill="${ground}"/>
<g transform="translate(492 244) scale(.5)">${emblemIn(emblem, ink)}</g>
<rect x="262" y="330" width="230" height="170" fill="#f5dfa6"/><rect x="520" y="330" width="92" height="206" fill="#8a5f3c"/><rect x="532" y="344" width="68" height="110" fill="#f5dfa6"/><rect x="640" y="330" width="134" height="170" fill="#f5dfa6"/>
<path d="M262 420h230M377 330v170M640 420h134" stroke="#2b2a28" stroke-width="6"/>
${stripes}
<rect y="534" width="1024" height="42" fill="#8d8577"/><path d="M0 548h1024M0 562h1024" stroke="#7a7366" stroke-width="3"/>
${outside(category, ink === '#f6f1e6' || ink.startsWith('#f') || ink.startsWith('#e') ? ground : ink)}
</svg>`;
}
