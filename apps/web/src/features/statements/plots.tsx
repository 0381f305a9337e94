import { formatNumber } from '../../lib/format.ts';

export type Bar = { key: string; label: string; parts: readonly { value: number; colour: string }[] };

/** A round figure at or above the highest value, for the top of a scale. */
export function scaleTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= highest) ?? 10;
  return step * power;
}

/** Bars side by side, each of parts on top of each other. The table beside it holds the figures, so it says nothing to screen readers. */
export function BarPlot({
  bars,
  top,
  format,
}: {
  bars: readonly Bar[];
  top: number;
  format: (value: number) => string;
}) {
  const width = 100 / Math.max(1, bars.length);
  return (
    <div className="plot" aria-hidden="true">
      <div className="plot-field">
        {[1, 0.5].map((share) => (
          <span key={share} className="plot-line xs mute num" style={{ insetBlockEnd: `${share * 100}%` }}>
            {format(top * share)}
          </span>
        ))}
        <svg viewBox="0 0 100 60" preserveAspectRatio="none" aria-hidden="true">
          {bars.map((bar, index) => {
            let below = 0;
            return bar.parts.map((part) => {
              const height = (part.value / top) * 60;
              const y = 60 - below - height;
              below += height;
              return (
                <rect
                  key={`${bar.key} ${part.colour}`}
                  x={index * width + width * 0.22}
                  width={width * 0.56}
                  y={y}
                  height={Math.max(0, height)}
                  fill={part.colour}
                />
              );
            });
          })}
        </svg>
      </div>
      <div
        className="plot-foot xs mute"
        style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}
      >
        {bars.map((bar) => (
          <span key={bar.key}>{bar.label}</span>
        ))}
      </div>
    </div>
  );
}

const rings = [6, 24, 48, 72];
/** From the middle outwards; beyond three days everything lies on the rim. */
const reach = (hours: number): number =>
  20 + (Math.min(72, Math.sqrt(Math.max(0, hours) / 72) * 72) / 72) * 80;

/** One dot a job on rings of hours: the nearer the middle, the sooner it was filled (look 17). Oldest at the left, newest at the right. */
export function FillRings({ hours, median }: { hours: readonly number[]; median: number | null }) {
  const centre = 110;
  const at = (radius: number) =>
    `M ${centre - radius} 110 A ${radius} ${radius} 0 0 1 ${centre + radius} 110`;
  return (
    <svg className="plot-rings" viewBox="0 0 220 128" aria-hidden="true">
      {median === null ? null : (
        <path d={`${at(reach(median))} Z`} fill="var(--good-soft)" stroke="var(--good)" strokeWidth="1.2" />
      )}
      {rings.map((one) => (
        <g key={one}>
          <path d={at(reach(one))} fill="none" stroke="var(--line-strong)" strokeWidth=".6" />
          <text x={centre - reach(one)} y="122" textAnchor="middle" className="plot-text">
            {formatNumber(one)}
          </text>
        </g>
      ))}
      <line x1="0" x2="220" y1="110" y2="110" stroke="var(--line-strong)" strokeWidth=".8" />
      {hours.map((one, index) => {
        const angle = Math.PI * (1 - (index + 0.5) / hours.length);
        const radius = reach(one);
        return (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: the dots have no identity but their order.
            key={index}
            cx={centre + radius * Math.cos(angle)}
            cy={110 - radius * Math.sin(angle)}
            r="2.6"
            fill={one <= 24 ? 'var(--good)' : 'var(--wait)'}
            stroke="var(--surface)"
            strokeWidth=".8"
          />
        );
      })}
    </svg>
  );
}
