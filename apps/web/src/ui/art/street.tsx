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
