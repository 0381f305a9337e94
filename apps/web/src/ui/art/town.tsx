import { type HouseShape, type OnRing, RingStreet } from './street.tsx';

const small = { roof: 'step', width: 24, height: 28 } as const;
const tall = { roof: 'flat', width: 28, height: 46, rows: 2 } as const;
const broad = { roof: 'bell', width: 32, height: 47 } as const;
const shop = { roof: 'bell', width: 36, height: 47 } as const;

const at = (angle: number, house: HouseShape): OnRing => ({ at: angle, house });
const tree = (angle: number): OnRing => ({ at: angle, tree: 0.95 });

const round: readonly OnRing[] = [
  at(-167, { ...broad, wall: 'moss' }),
  at(-151, { ...tall, wall: 'straw' }),
  at(-138, { ...small, wall: 'cream' }),
  tree(-127),
  at(-113, { ...broad, wall: 'brick' }),
  at(-98, { ...tall, wall: 'cream', roof: 'point' }),
  at(-84, { ...small, wall: 'sky' }),
  at(-69, { ...shop, wall: 'moss', shop: 'brick' }),
  at(-51, { ...broad, wall: 'straw', roof: 'flat' }),
  tree(-39),
  at(-27, { ...small, wall: 'brick', roof: 'point' }),
  at(-11, { ...shop, wall: 'brick', shop: 'straw' }),
  at(6, { ...broad, wall: 'cream', roof: 'point' }),
  at(22, { ...tall, wall: 'sky', roof: 'step' }),
  at(35, { ...small, wall: 'moss', roof: 'bell' }),
  tree(46),
  at(60, { ...broad, wall: 'cream', roof: 'step' }),
  at(75, { ...tall, wall: 'brick', roof: 'point' }),
  at(89, { ...small, wall: 'brick', roof: 'bell' }),
  at(104, { ...shop, wall: 'cream', roof: 'point', shop: 'brick' }),
  at(122, { ...broad, wall: 'sky', roof: 'step' }),
  tree(134),
  at(146, { ...small, wall: 'straw', roof: 'flat' }),
  at(161, { ...shop, wall: 'cream', roof: 'step', shop: 'brick' }),
  at(179, { ...broad, wall: 'brick', roof: 'point' }),
];

const hill: readonly OnRing[] = [
  at(-22.6, { ...broad, wall: 'moss', roof: 'point' }),
  at(-19.6, { ...tall, wall: 'straw' }),
  at(-16.6, { ...small, wall: 'cream' }),
  tree(-14.2),
  at(-11.2, { ...broad, wall: 'brick' }),
  at(-7.8, { ...tall, wall: 'cream', roof: 'point' }),
  at(-4.8, { ...small, wall: 'sky' }),
  at(-1.35, { ...shop, wall: 'moss', shop: 'brick' }),
  at(2.5, { ...broad, wall: 'straw', roof: 'flat' }),
  tree(5.3),
  at(7.9, { ...small, wall: 'brick', roof: 'point' }),
  at(11.3, { ...shop, wall: 'brick', shop: 'straw' }),
  at(15.2, { ...broad, wall: 'cream', roof: 'point' }),
  at(18.6, { ...tall, wall: 'sky', roof: 'step' }),
  at(21.6, { ...small, wall: 'straw', roof: 'bell' }),
];

type TownProps = { cx: number; cy: number; r: number };

export function RoundTown({ cx, cy, r }: TownProps) {
  return <RingStreet cx={cx} cy={cy} r={r} parts={round} />;
}

/** Houses along the top of a wide ring; `spread` of 3 repeats the street on both sides for wide screens. */
export function HillTown({ cx, cy, r, spread = 1 }: TownProps & { spread?: 1 | 3 }) {
  const shifts = spread === 1 ? [0] : [-47.5, 0, 47.5];
  return shifts.map((shift) => (
    <g key={shift} transform={`rotate(${shift} ${cx} ${cy})`}>
      <RingStreet cx={cx} cy={cy} r={r} parts={hill} />
    </g>
  ));
}
