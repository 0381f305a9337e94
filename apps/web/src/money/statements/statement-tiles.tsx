import { Bar } from '../../ui/pages/skeleton.tsx';

/** A statement's figures, side by side. */
export function StatementTiles({
  label,
  tiles,
}: {
  label: string;
  tiles: readonly { label: string; value: string }[];
}) {
  return (
    <dl className="statement-tiles" aria-label={label}>
      {tiles.map((tile) => (
        <div key={tile.label} className="statement-tile">
          <dt className="sm mute">{tile.label}</dt>
          <dd className="statement-tile-figure">{tile.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Four figures that are still loading, as tall as they will be. */
export const StatementTilesSkeleton = () => (
  <div className="statement-tiles" aria-hidden="true">
    {['a', 'b', 'c', 'd'].map((tile) => (
      <div key={tile} className="statement-tile">
        <span className="sm block">
          <Bar width={40} />
        </span>
        <span className="statement-tile-figure block">
          <Bar width={70} />
        </span>
      </div>
    ))}
  </div>
);
