import { prepareUpload, uploadFile } from '../../people/files/files.ts';
import { createChance, type Town } from '../town/town.ts';

const skins = ['#f3d3b8', '#e9bd98', '#d7a27a', '#b97d52', '#8f5a38', '#6a4028'] as const;
const hairs = ['#2b2320', '#43301f', '#6b4526', '#9a6a34', '#c9a15a', '#8a8580'] as const;
const grounds = ['#d8ead9', '#dbe6f7', '#f6e6b8', '#fbdcc9', '#e3ddee', '#d5e9e8'] as const;
const clothes = ['#1b4a3c', '#1f5fae', '#b8460f', '#7a5a12', '#5a4a7a', '#2f6f73', '#a83250'] as const;

const cuts: readonly ((hair: string) => [behind: string, front: string])[] = [
  (hair) => [
    '',
    `<path d="M58 92C54 48 84 34 106 38c28 2 40 26 36 54-6-16-16-26-30-30-20 6-42 8-54 30z" fill="${hair}"/>`,
  ],
  (hair) => [
    `<path d="M50 96c0-42 26-60 50-60s50 18 50 60v34h-18V90H68v40H50z" fill="${hair}"/>`,
    `<path d="M62 88c2-28 18-40 38-40s36 12 38 40c-20-4-34-14-40-24-6 12-20 20-36 24z" fill="${hair}"/>`,
  ],
  (hair) => [
    `<circle cx="100" cy="30" r="20" fill="${hair}"/>`,
    `<path d="M60 90c0-32 18-46 40-46s40 14 40 46c-10-18-24-26-40-26s-30 8-40 26z" fill="${hair}"/>`,
  ],
  (hair) => [
    '',
    [66, 84, 102, 120, 136]
      .map((x, index) => `<circle cx="${x}" cy="${[68, 54, 48, 54, 68][index]}" r="17" fill="${hair}"/>`)
      .join(''),
  ],
  (hair) => [
    `<path d="M46 150c-4-70 14-114 54-114s58 44 54 114c-14 6-30 6-34 0H80c-4 6-20 6-34 0z" fill="${hair}"/>`,
    `<path d="M60 92c2-30 18-46 40-46s38 16 40 46c-14-6-22-16-26-28-10 14-30 24-54 28z" fill="${hair}"/>`,
  ],
  (hair) => [
    '',
    `<path d="M62 80c2-24 18-36 38-36s36 12 38 36c-8-10-22-16-38-16s-30 6-38 16z" fill="${hair}"/>`,
  ],
];

const glasses =
  '<g fill="none" stroke="#1d2b26" stroke-width="3"><circle cx="84" cy="96" r="12"/><circle cx="116" cy="96" r="12"/><path d="M96 95h8"/></g>';

export function drawFace(name: string): string {
  const chance = createChance(seedOf(name));
  const skin = chance.pick(skins);
  // Light hair on dark skin would look like a mistake.
  const hair = chance.pick(skin === skins[4] || skin === skins[5] ? hairs.slice(0, 2) : hairs);
  const [behind, front] = chance.pick(cuts)(hair);
  const shirt = chance.pick(clothes);
  const collar = chance.percent(50)
    ? `<path d="M78 146l22 20 22-20 10 6-32 34-32-34z" fill="#fffdf7"/>`
    : `<path d="M76 148a24 20 0 0 0 48 0z" fill="${skin}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 200 200">
<rect width="200" height="200" fill="${chance.pick(grounds)}"/>
${behind}
<path d="M24 200c2-36 30-54 76-54s74 18 76 54z" fill="${shirt}"/>
<path d="M86 128h28v26a14 12 0 0 1-28 0z" fill="${skin}"/><path d="M86 138a24 20 0 0 0 28 0v8a24 20 0 0 1-28 0z" fill="#000" opacity=".12"/>
${collar}
<ellipse cx="100" cy="96" rx="38" ry="44" fill="${skin}"/>
${front}
<circle cx="84" cy="96" r="4" fill="#1d2b26"/><circle cx="116" cy="96" r="4" fill="#1d2b26"/>
${chance.percent(25) ? glasses : ''}
<path d="M78 84q6-5 12 0M110 84q6-5 12 0" fill="none" stroke="${hair}" stroke-width="3" stroke-linecap="round"/>
<path d="M86 ${chance.percent(50) ? '116q14 14 28 0' : '118q14 9 28 0'}" fill="none" stroke="#7a2f22" stroke-width="4" stroke-linecap="round"/>
</svg>`;
}

/** Seeds a drawing by name, without the town's random numbers. */
export const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7);

export async function uploadDrawing(
  town: Town,
  accountId: string,
  at: Date,
  picture: { purpose: 'photo' | 'logo'; name: string; svg: string },
): Promise<string> {
  const { default: sharp } = await import('sharp');
  const bytes = new Uint8Array(await sharp(Buffer.from(picture.svg)).png().toBuffer());
  const input = { purpose: picture.purpose, file: new File([bytes], picture.name) };
  const scope = town.scopeOf(accountId, at);
  return (await uploadFile(town.tx, scope, input, await prepareUpload(scope, input, town.tx))).id;
}
