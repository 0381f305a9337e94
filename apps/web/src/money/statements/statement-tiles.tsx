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
