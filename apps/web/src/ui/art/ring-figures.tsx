import type { ReactNode } from 'react';

const turn = (radius: number) => 2 * Math.PI * radius;

/** Segments passed or filled: spots, pipeline steps. Up to twelve segments; more become one arc. */
export function Dial({
  filled,
  total,
  tone = 'currentColor',
}: {
  filled: number;
  total: number;
  tone?: string;
}) {
  const round = turn(13.5);
  const parts = Math.max(1, Math.min(12, total));
  const share = total > 12 ? Math.round((filled / total) * 12) : filled;
  const length = round / parts;
  const gap = parts === 1 ? 0 : 3.6;
  return (
    <svg className="ring-dial" viewBox="0 0 32 32" aria-hidden="true">
      <g fill="none" strokeWidth="4" transform="rotate(-90 16 16)">
        {Array.from({ length: parts }, (_, index) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a segment has no identity but its index.
            key={index}
            cx="16"
            cy="16"
            r="13.5"
            stroke={index < share ? tone : 'var(--line)'}
            strokeDasharray={`${length - gap} ${round}`}
            strokeDashoffset={-(index * length + gap / 2)}
          />
        ))}
      </g>
    </svg>
  );
}

/**
 * The time left: `left` from 1 to 0. Turns from amber to red in the last fifth, or with `isUrgent`, so that the
 * colors of a list follow the same hours.
 */
export function ClockRing({
  left,
  isUrgent = left <= 0.2,
  size = 'm',
  children,
}: {
  left: number;
  isUrgent?: boolean;
  size?: 's' | 'm' | 'l';
  children?: ReactNode;
}) {
  const round = turn(14);
  const leftShare = Math.max(0, Math.min(1, left));
  return (
    <span className={`ring-clock ${size}`}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <g fill="none" strokeWidth="3.2" transform="rotate(-90 16 16)">
          <circle cx="16" cy="16" r="14" stroke="var(--line)" />
          <circle
            cx="16"
            cy="16"
            r="14"
            stroke={isUrgent ? 'var(--bad)' : 'var(--wait)'}
            strokeLinecap="round"
            strokeDasharray={`${leftShare * round} ${round}`}
          />
        </g>
      </svg>
      {children ? <b className="num">{children}</b> : null}
    </span>
  );
}

/** The angle where the path crosses each ring, from the innermost, in degrees. */
const crossings = [-172, -142, -132, -128, -138, -150];

type ApproachProps = {
  states: readonly string[];
  currentIndex: number;
  label: string;
};

/** An application's path inwards: each state is a ring, the innermost is Hired. On dark green. */
export function Approach({ states, currentIndex, label }: ApproachProps) {
  const centre = { x: 195, y: 236 };
  // The innermost ring has room for its name in every language next to the dot.
  const radius = (index: number) => 48 + (states.length - 1 - index) * 36;
  const at = (index: number) => {
    const angle = (crossings[states.length - 1 - index] ?? -150) * (Math.PI / 180);
    const r = radius(index);
    return { x: centre.x + r * Math.cos(angle), y: Math.min(222, centre.y + r * Math.sin(angle)) };
  };
  const walked = states.slice(0, currentIndex + 1).map((_, index) => at(index));
  const here = at(currentIndex);
  // The path starts outside: on a wide card, at its edge.
  const outside = -400;
  const from = at(0).y + (26 * (at(0).x - outside)) / at(0).x;
  const top = centre.y - radius(0) - 24;
  return (
    <svg className="ring-approach" viewBox={`0 ${top} 390 ${centre.y - top}`} role="img" aria-label={label}>
      {states.map((state, index) => (
        <circle
          key={state}
          cx={centre.x}
          cy={centre.y}
          r={radius(index)}
          fill={index <= currentIndex ? 'var(--pine-fill)' : 'var(--pine)'}
          fillOpacity={index <= currentIndex ? 0.55 : 1}
          stroke={
            index === currentIndex
              ? 'var(--on-pine)'
              : index < currentIndex
                ? 'var(--pine-line)'
                : 'var(--on-pine-2)'
          }
          strokeWidth={index === currentIndex ? 2 : 1.25}
          strokeDasharray={index > currentIndex ? '1 5' : undefined}
          strokeLinecap="round"
        />
      ))}
      {states.map((state, index) => (
        <text
          key={state}
          x={centre.x}
          y={centre.y - radius(index) + 22}
          fontSize="13"
          textAnchor="middle"
          className={index === currentIndex ? 'now' : ''}
        >
          {state}
        </text>
      ))}
      <polyline
        points={[`${outside},${from}`, ...walked.map((point) => `${point.x},${point.y}`)].join(' ')}
        fill="none"
        stroke="var(--on-pine)"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {walked.slice(0, -1).map((point) => (
        <circle key={`${point.x}`} cx={point.x} cy={point.y} r="5" fill="var(--on-pine)" />
      ))}
      <circle cx={here.x} cy={here.y} r="15" fill="var(--ember)" opacity=".3" />
      <circle cx={here.x} cy={here.y} r="8" fill="var(--ember)" />
    </svg>
  );
}
