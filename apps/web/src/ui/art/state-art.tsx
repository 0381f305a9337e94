import { House, type HouseShape, type OnRing, RingStreet } from './street.tsx';

export type ArtName = 'empty' | 'error' | 'door';

const brickShop: HouseShape = { roof: 'step', wall: 'brick', width: 34, height: 42, shop: 'straw' };
const skyBell: HouseShape = { roof: 'bell', wall: 'sky', width: 30, height: 36 };
const strawPoint: HouseShape = { roof: 'point', wall: 'straw', width: 26, height: 30 };
const mossFlat: HouseShape = { roof: 'flat', wall: 'moss', width: 30, height: 34 };
const brickStep: HouseShape = { roof: 'step', wall: 'brick', width: 28, height: 34 };
const strawTall: HouseShape = { roof: 'point', wall: 'straw', width: 28, height: 40, rows: 2 };

const streets: Record<ArtName, readonly OnRing[]> = {
  empty: [
    { at: 28, house: brickShop },
    { at: 49, tree: 1.05 },
    { at: -33, house: skyBell },
    { at: -55, house: strawPoint },
  ],
  error: [
    { at: -34, house: mossFlat },
    { at: -56, house: brickStep },
    { at: -11, tree: 1.05 },
  ],
  door: [
    { at: -24, house: skyBell },
    { at: 0, house: { ...brickShop, roof: 'bell' } },
    { at: 24, house: strawTall },
    { at: 44, tree: 0.9 },
  ],
};

const ringLine = { cx: 108, cy: 104, fill: 'none', stroke: 'var(--text)', strokeWidth: 1.5 };

export function Art({ name }: { name: ArtName }) {
  return (
    <svg className="art" viewBox="-6 -34 228 224" aria-hidden="true">
      {name === 'error' ? <BrokenRings /> : <WholeRings />}
      <RingStreet cx={108} cy={104} r={82} parts={streets[name]} />
    </svg>
  );
}

function WholeRings() {
  const dots = { strokeDasharray: '1 6', strokeLinecap: 'round', strokeWidth: 1.75 } as const;
  return (
    <>
      <circle {...ringLine} r="24" strokeOpacity=".75" />
      <circle {...ringLine} r="46" strokeOpacity=".45" />
      <circle {...ringLine} r="82" strokeOpacity=".25" />
      <circle {...ringLine} r="62" strokeOpacity=".5" {...dots} />
      <circle cx="108" cy="104" r="11" fill="var(--here)" opacity=".18" />
      <circle cx="108" cy="104" r="5.5" fill="var(--here)" />
    </>
  );
}

function BrokenRings() {
  return (
    <>
      <g transform="rotate(-64 108 104)">
        <circle {...ringLine} r="82" strokeOpacity=".25" strokeDasharray="440 76" />
      </g>
      <g transform="rotate(36 108 104)">
        <circle {...ringLine} r="46" strokeOpacity=".5" strokeDasharray="226 63" />
      </g>
      <g transform="rotate(150 108 104)">
        <circle {...ringLine} r="24" strokeOpacity=".8" strokeDasharray="112 39" />
      </g>
      <circle cx="108" cy="104" r="6" fill="var(--text)" />
      <g transform="translate(176 44) rotate(64)">
        <House roof="point" wall="straw" width={28} height={34} />
      </g>
    </>
  );
}
