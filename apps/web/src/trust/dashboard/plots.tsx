import { useLingui } from '@lingui/react/macro';

export type PlotBar = { key: string; label: string; parts: readonly { value: number; colour: string }[] };

/** A round figure at or above the highest value, for the top of a scale. */
export function scaleTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}

/** Stacked bars. Hidden from screen readers, since a table has the same figures. */
export function BarPlot({
  bars,
  top,
  format,
}: {
  bars: readonly PlotBar[];
  top: number;
  format: (value: number) => string;
}) {
  const width = 100 / Math.max(1, bars.length);
  // Without values the scale would be meaningless: its lines would name amounts like €0.01.
  const lines = bars.some(({ parts }) => parts.some(({ value }) => value > 0)) ? [1, 0.5] : [];
  return (
    <div className="plot" aria-hidden="true">
      <div className="plot-field">
        {lines.map((share) => (
          <span key={share} className="plot-line" style={{ insetBlockEnd: `${share * 100}%` }}>
            <span className="xs mute num">{format(top * share)}</span>
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

const ticks = [6, 24, 48, 72];
const max = 72;
/** A position on the strip in percent; early hours get more room, and beyond three days all share the end. */
const placeOf = (hours: number): number => Math.sqrt(Math.min(max, Math.max(0, hours)) / max) * 100;

export function stripDots(hours: readonly number[], widthPercent = 4): { place: number; level: number }[] {
  const dots: { place: number; level: number }[] = [];
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const place = placeOf(hour);
    const near = new Set(dots.filter((dot) => place - dot.place < widthPercent).map(({ level }) => level));
    let level = 0;
    while (near.has(level)) level += 1;
    dots.push({ place, level });
  }
  return dots;
}

export function FillStrip({ hours, median }: { hours: readonly number[]; median: number | null }) {
  const { t } = useLingui();
  const dots = stripDots(hours);
  const rows = Math.max(4, ...dots.map(({ level }) => level + 1));
  const names: Record<number, string> = { 6: t`6 h`, 24: t`1 day`, 48: t`2 days`, 72: t`3 days` };
  return (
    <div className="strip" aria-hidden="true">
      <div className="strip-field" style={{ blockSize: `${Math.min(14, rows * 0.875 + 0.5)}rem` }}>
        <span className="strip-day" style={{ inlineSize: `${placeOf(24)}%` }} />
        {ticks.map((tick) => (
          <span key={tick} className="strip-tick" style={{ insetInlineStart: `${placeOf(tick)}%` }} />
        ))}
        {median === null ? null : (
          <span className="strip-median" style={{ insetInlineStart: `${placeOf(median)}%` }} />
        )}
        {dots.map(({ place, level }, index) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a dot has no identity but its index.
            key={index}
            className={place <= placeOf(24) ? 'strip-dot' : 'strip-dot slow'}
            style={{
              insetInlineStart: `${place}%`,
              insetBlockEnd: `${(((level + 0.5) / rows) * 100).toFixed(2)}%`,
            }}
          />
        ))}
      </div>
      <div className="strip-foot xs mute">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetInlineStart: `${placeOf(tick)}%` }}>
            {names[tick]}
          </span>
        ))}
      </div>
    </div>
  );
}
