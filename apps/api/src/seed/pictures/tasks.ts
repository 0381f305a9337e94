import type { Town } from '../town/town.ts';
import { uploadDrawing } from './faces.ts';

const scene = (wall: string, floor: string, objects: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="768" viewBox="0 0 1024 768"><defs><linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".28"/><stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient></defs><rect width="1024" height="768" fill="${wall}"/><rect y="590" width="1024" height="178" fill="${floor}"/>${objects}<rect width="1024" height="768" fill="url(#l)"/></svg>`;

const arrow = (path: string, x: number, y: number, text: string): string =>
  `<path d="${path}" stroke="#c8402c" stroke-width="7" fill="none"/><text x="${x}" y="${y}" font-family="sans-serif" font-size="46" font-weight="700" fill="#c8402c">${text}</text>`;

const tap = scene(
  '#cfd9d6',
  '#8b9a96',
  '<rect x="180" y="380" width="660" height="220" rx="30" fill="#f3f2ec"/><path d="M230 410h560l-60 150H290z" fill="#d9dcd8"/><path d="M512 390V210c0-60 130-60 130 0v44" fill="none" stroke="#7d878a" stroke-width="34" stroke-linecap="round"/><path d="M452 250h120" stroke="#7d878a" stroke-width="26" stroke-linecap="round"/><path d="M642 290c22 34 22 52 0 60-22-8-22-26 0-60z" fill="#4d93b8"/><ellipse cx="512" cy="520" rx="70" ry="18" fill="#5c6567"/>',
);
const drain = scene(
  '#b9a88f',
  '#6f614d',
  '<path d="M420 0v240c0 120 200 120 200-10V190h190" fill="none" stroke="#e8e6df" stroke-width="60"/><path d="M380 120h80M590 170v60" stroke="#b7b4aa" stroke-width="84"/><path d="M402 470h216l-26 190H428z" fill="#3b6ea8"/><path d="M402 470c20-120 196-120 216 0" fill="none" stroke="#d7dbe0" stroke-width="10"/><path d="M470 372c16 26 16 40 0 46-16-6-16-20 0-46z" fill="#4d93b8"/>',
);
const sofa = scene(
  '#ded3c2',
  '#a3825f',
  `<rect x="200" y="310" width="624" height="180" rx="40" fill="#4f6a78"/><rect x="160" y="380" width="110" height="210" rx="36" fill="#43606d"/><rect x="754" y="380" width="110" height="210" rx="36" fill="#43606d"/><rect x="260" y="440" width="504" height="120" rx="26" fill="#5c7c8b"/>${arrow('M160 660H864M180 644l-20 16 20 16M844 644l20 16-20 16', 430, 730, '2.10 m')}${arrow('M920 310V590M904 330l16-20 16 20M904 570l16 20 16-20', 800, 290, '0.85 m')}`,
);
const cupboard = scene(
  '#dfe3dc',
  '#9b8365',
  `<rect x="330" y="110" width="364" height="500" rx="8" fill="#7d5637"/><path d="M512 130v460" stroke="#593b24" stroke-width="8"/><circle cx="492" cy="360" r="10" fill="#e0c48a"/><circle cx="532" cy="360" r="10" fill="#e0c48a"/><path d="M350 610v30M674 610v30" stroke="#593b24" stroke-width="22"/>${arrow('M330 690H694M350 674l-20 16 20 16M674 674l20 16-20 16', 440, 750, '1.20 m')}${arrow('M760 110V610M744 130l16-20 16 20M744 590l16 20 16-20', 790, 380, '1.95 m')}`,
);
const boxes = scene(
  '#e6e1d8',
  '#b59a78',
  '<g fill="#c49a63"><rect x="160" y="500" width="560" height="70"/><rect x="190" y="428" width="500" height="66"/><rect x="240" y="370" width="420" height="52"/></g><g stroke="#94703f" stroke-width="5"><path d="M160 535h560M190 461h500M240 396h420"/></g><rect x="760" y="360" width="150" height="210" fill="#d2ab74"/><path d="M760 420h150M835 360v210" stroke="#94703f" stroke-width="5"/><rect x="380" y="600" width="90" height="20" rx="8" fill="#c8402c"/><rect x="460" y="604" width="120" height="12" fill="#8d8f92"/>',
);
const garden = scene(
  '#bcd6e2',
  '#7b9a52',
  '<g fill="#8a6b4c">' +
    Array.from({ length: 11 }, (_, at) => `<rect x="${at * 94}" y="250" width="84" height="350"/>`).join('') +
    '</g><path d="M0 600c200-60 800-60 1024 0v168H0z" fill="#6d8c46"/><path d="M430 768c10-90 60-120 70-170h60c20 60 70 90 90 170z" fill="#a99a83"/><g fill="#3f6b3d"><circle cx="150" cy="560" r="80"/><circle cx="250" cy="590" r="56"/><circle cx="860" cy="560" r="90"/></g><path d="M720 600V330" stroke="#5b432c" stroke-width="26"/><path d="M720 430l-70-70M720 400l60-80" stroke="#5b432c" stroke-width="14"/>',
);
const trees = scene(
  '#c9dde6',
  '#8c8878',
  '<g stroke="#5b432c" stroke-width="40"><path d="M330 640V330M700 640V320"/></g><g fill="#4f7d45"><circle cx="330" cy="240" r="150"/><circle cx="230" cy="320" r="90"/><circle cx="430" cy="320" r="90"/><circle cx="700" cy="230" r="160"/><circle cx="810" cy="320" r="90"/></g><rect x="850" y="400" width="174" height="230" fill="#9b6a4c"/><path d="M830 400l110-90 110 90z" fill="#6d4231"/>',
);
const shopWindow = scene(
  '#7d3b45',
  '#8d8577',
  '<rect x="110" y="130" width="804" height="430" fill="#2b2a28"/><rect x="134" y="154" width="756" height="382" fill="#e9dcc0"/><rect x="134" y="470" width="756" height="66" fill="#b98a52"/><path d="M240 154v60M512 154v60M780 154v60" stroke="#2b2a28" stroke-width="6"/><g fill="#f6d06b"><circle cx="240" cy="226" r="22"/><circle cx="512" cy="226" r="22"/><circle cx="780" cy="226" r="22"/></g><path d="M150 170l220 220" stroke="#fff" stroke-opacity=".35" stroke-width="24"/>',
);
const look = scene(
  '#d9b7a5',
  '#b88d7c',
  '<ellipse cx="512" cy="370" rx="190" ry="250" fill="#a9714f"/><path d="M310 330c10-260 400-260 404 0-60-120-330-120-404 0z" fill="#2b1d18"/><g fill="#7c4a6b" opacity=".75"><ellipse cx="432" cy="330" rx="54" ry="30"/><ellipse cx="592" cy="330" rx="54" ry="30"/></g><g fill="#231815"><ellipse cx="432" cy="346" rx="28" ry="14"/><ellipse cx="592" cy="346" rx="28" ry="14"/></g><path d="M512 360v80" stroke="#8a583a" stroke-width="10" stroke-linecap="round"/><path d="M452 500c40-24 80-24 120 0-30 36-90 36-120 0z" fill="#a8324a"/>',
);
const bareWall = scene(
  '#d8cfbf',
  '#5b3d28',
  '<rect width="1024" height="76" fill="#ece5d8"/><rect y="574" width="1024" height="30" fill="#7d5637"/><g stroke="#c1b59f" stroke-width="5"><path d="M210 160l30 60 16 70M760 240l-40 90"/></g><rect x="120" y="500" width="80" height="44" rx="6" fill="#f5f2ea"/><g fill="#24443a"><rect x="800" y="560" width="120" height="110" rx="8"/></g><path d="M800 572c0-40 120-40 120 0" fill="none" stroke="#8d8f92" stroke-width="8"/>',
);
const storeroom = scene(
  '#cfcabd',
  '#8b8372',
  '<g stroke="#aaa38f" stroke-width="4"><path d="M0 160h1024M0 320h1024M0 480h1024M200 0v590M520 0v590M840 0v590"/></g><g fill="#c9995f">' +
    Array.from(
      { length: 6 },
      (_, at) => `<rect x="${150 + at * 12}" y="${556 - at * 26}" width="620" height="22"/>`,
    ).join('') +
    '</g><rect x="830" y="470" width="110" height="120" fill="#44586b"/><circle cx="885" cy="450" r="34" fill="#c8402c"/>',
);

const scenes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/dripping tap|small leak/i, [tap, drain]],
  [/sofa/i, [sofa]],
  [/cupboard/i, [cupboard]],
  [/wardrobes|furniture assembly/i, [boxes]],
  [/garden|hedge/i, [garden]],
  [/limes|pear tree/i, [trees]],
  [/window display/i, [shopWindow]],
  [/^make-up/i, [look]],
  [/wall behind the bar/i, [bareWall]],
  [/twelve shelves/i, [storeroom]],
];

export async function uploadTaskPhotos(
  town: Town,
  accountId: string,
  at: Date,
  title: string,
): Promise<string[]> {
  const shapes = scenes.find(([pattern]) => pattern.test(title))?.[1] ?? [];
  const ids: string[] = [];
  for (const [index, svg] of shapes.entries())
    ids.push(
      await uploadDrawing(town, accountId, at, { purpose: 'photo', name: `task-${index + 1}.png`, svg }),
    );
  return ids;
}
