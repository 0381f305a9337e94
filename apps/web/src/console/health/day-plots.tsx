import type { ReactNode } from 'react';
import { formatCalendarDay, formatNumber } from '../../lib/words/format.ts';

type DayPlotProps = { title: string; days: readonly { day: string; value: number }[] };

const height = 48;

/** A round figure at or above the highest value. */
const topOf = (values: readonly number[]): number => {
  const highest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
};

/** A bar per day, with its figures in a table for screen readers. */
export function DayPlot({ title, days }: DayPlotProps) {
  const top = topOf(days.map(({ value }) => value));
  return (
    <Plot title={title} days={days} topLabel={formatNumber(top)} words={({ value }) => formatNumber(value)}>
      {({ value }) => <Bar height={(value / top) * height} colour="var(--pine-line)" />}
    </Plot>
  );
}

type SharePlotProps = { title: string; days: readonly { day: string; whole: number; part: number }[] };

/** A bar per day, filled by the part that was reached. */
export function SharePlot({ title, days }: SharePlotProps) {
  const top = topOf(days.map(({ whole }) => whole));
  return (
    <Plot
      title={title}
      days={days}
      topLabel={formatNumber(top)}
      words={({ part, whole }) => `${formatNumber(part)} of ${formatNumber(whole)}`}
    >
      {({ part, whole }) => (
        <>
          <Bar height={(whole / top) * height} colour="var(--line)" />
          <Bar height={(part / top) * height} colour="var(--good)" />
        </>
      )}
    </Plot>
  );
}

const Bar = ({ height: tall, colour }: { height: number; colour: string }) => (
  <rect x={0.2} width={0.6} y={height - tall} height={tall} fill={colour} />
);

function Plot<Day extends { day: string }>({
  title,
  days,
  topLabel,
  words,
  children,
}: {
  title: string;
  days: readonly Day[];
  topLabel: string;
  words: (day: Day) => string;
  children: (day: Day) => ReactNode;
}) {
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section className="card" aria-label={title}>
      <h2 className="h-s">{title}</h2>
      <div className="c-plot" aria-hidden="true">
        <span className="xs mute num">{topLabel}</span>
        <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((day, index) => (
            <g key={day.day} transform={`translate(${index} 0)`}>
              {children(day)}
            </g>
          ))}
        </svg>
        <p className="row xs mute">
          <span className="grow">{first ? formatCalendarDay(first.day) : ''}</span>
          <span>{last ? formatCalendarDay(last.day) : ''}</span>
        </p>
      </div>
      <table className="vh">
        <caption>{title}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{formatCalendarDay(day.day)}</th>
              <td>{words(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
