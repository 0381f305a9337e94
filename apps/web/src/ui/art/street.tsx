type Roof = 'flat' | 'step' | 'bell' | 'point';
export type HouseShape = {
  roof: Roof;
  wall: 'brick' | 'straw' | 'cream' | 'moss' | 'sky';
  width: number;
  height: number;
  rows?: 1 | 2;
  shop?: 'brick' | 'straw';
};

function roofPath(roof: Roof, half: number, eave: number): string {
  const top = -eave;
  if (roof === 'flat') return `M${-half - 2} ${top}V${top - 4}H${half + 2}V${top}Z`;
  if (roof === 'point') return `M${-half} ${top}L0 ${top - half * 0.95}L${half} ${top}Z`;
  if (roof === 'bell') {
    const waist = half * 0.42;
    const peak = top - half * 0.95;
    return `M${-half} ${top}C${-half} ${top - half / 2} ${-half / 2} ${top - half * 0.35} ${-waist} ${peak}H${waist}C${half / 2} ${top - half * 0.35} ${half} ${top - half / 2} ${half} ${top}Z`;
  }
  const third = half / 3;
  return `M${-half} ${top}V${top - 4}H${-third * 2}V${top - 8}H${-third}V${top - 12}H${third}V${top - 8}H${third * 2}V${top - 4}H${half}V${top}Z`;
}

export function House({ roof, wall, width, height, rows = 1, shop }: HouseShape) {
  const fill = `var(--art-${wall})`;
  const columns = width >= 28 ? [-0.37, -0.1, 0.17] : [-0.32, 0.12];
  return (
    <g>
      <rect x={-width / 2} y={-height} width={width} height={height + 4} fill={fill} />
      <path d={roofPath(roof, width / 2, height)} fill={fill} />
      {[0, 1]
        .slice(0, rows)
        .map((row) =>
          columns.map((column) => (
            <rect
              key={`${row}${column}`}
              x={column * width}
              y={-height + width * (0.1 + row * 0.49)}
              width={width * 0.2}
              height={width * 0.28}
              rx=".8"
              fill="var(--art-ink)"
            />
          )),
        )}
      {shop ? <ShopFront width={width} stripe={shop} /> : <Door width={width} />}
    </g>
  );
}

function Door({ width }: { width: number }) {
  const r = width * 0.13;
  return <path d={`M${-r} 0V${-width * 0.34}a${r} ${r} 0 0 1 ${r * 2} 0V0z`} fill="var(--art-ink)" />;
}

function ShopFront({ width, stripe }: { width: number; stripe: 'brick' | 'straw' }) {
  const part = width * 0.208;
  return (
    <>
      <rect
        x={-width * 0.41}
        y={-width * 0.46}
        width={width * 0.5}
        height={width * 0.36}
        fill="var(--art-ink)"
      />
      <rect
        x={width * 0.175}
        y={-width * 0.46}
        width={width * 0.24}
        height={width * 0.46}
        fill="var(--art-ink)"
      />
      {[0, 1, 2, 3, 4].map((index) => (
        <path
          key={index}
          d={`M${-width * 0.52 + index * part} ${-width * 0.64}h${part}v${part * 0.625}a${part / 2} ${part / 2} 0 0 1 ${-part} 0z`}
          fill={index % 2 === 0 ? `var(--art-${stripe})` : 'var(--art-cream)'}
        />
      ))}
    </>
  );
}

function Tree({ scale = 1 }: { scale?: number }) {
  return (
    <g transform={`scale(${scale})`}>
      <rect x="-1.4" y="-14" width="2.8" height="15" fill="var(--art-ink)" />
      <circle cy="-22" r="11" fill="var(--art-moss)" />
    </g>
  );
}

/** Houses and trees on a ring; `at` is the angle in degrees from the top. */
export type OnRing = { at: number; house?: HouseShape; tree?: number };

export function RingStreet({
  cx,
  cy,
  r,
  parts,
}: {
  cx: number;
  cy: number;
  r: number;
  parts: readonly OnRing[];
}) {
  return parts.map((part) => (
    <g key={part.at} transform={`translate(${cx} ${cy}) rotate(${part.at}) translate(0 ${-r})`}>
      {part.house ? <House {...part.house} /> : <Tree scale={part.tree ?? 1} />}
    </g>
  ));
}

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
