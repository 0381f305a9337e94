import type { ReactNode } from 'react';

function band(metres: number | null): 0 | 1 | 2 {
  if (metres === null || metres > 5_000) return 2;
  return metres <= 1_000 ? 0 : 1;
}

const nearRadii = [4.6, 7.6, 10.6];

export function Near({ metres }: { metres: number | null }) {
  const on = band(metres);
  return (
    <svg className="ring-near" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor">
      {nearRadii.map((radius, index) => (
        <circle
          key={radius}
          cx="12"
          cy="12"
          r={radius}
          strokeWidth={index === on ? 2 : 1.1}
          opacity={index === on ? 1 : 0.3}
        />
      ))}
      <circle cx="12" cy="12" r="2" fill="var(--here)" stroke="none" />
    </svg>
  );
}

const turn = (radius: number) => 2 * Math.PI * radius;

export function ProgressRing({ done, children }: { done: number; children?: ReactNode }) {
  const round = turn(14);
  return (
    <span className="ring-clock m">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <g fill="none" strokeWidth="2.4" transform="rotate(-90 16 16)">
          <circle cx="16" cy="16" r="14" stroke="var(--line)" />
          <circle
            cx="16"
            cy="16"
            r="14"
            stroke="var(--text)"
            strokeLinecap="round"
            strokeDasharray={`${Math.max(0.02, Math.min(1, done)) * round} ${round}`}
          />
        </g>
      </svg>
      {children}
    </span>
  );
}

export function HeaderRings({
  corner = 'end',
  onPine = true,
}: {
  corner?: 'start' | 'end';
  onPine?: boolean;
}) {
  const x = corner === 'end' ? 330 : 30;
  return (
    <svg
      className={`rings flip ${corner}`}
      viewBox="0 0 390 410"
      preserveAspectRatio={corner === 'end' ? 'xMaxYMin slice' : 'xMinYMin slice'}
      aria-hidden="true"
    >
      {[40, 92, 144, 196, 248, 300, 352].map((radius, index) => (
        <circle
          key={radius}
          cx={x}
          cy="56"
          r={radius}
          fill="none"
          stroke={onPine ? 'var(--pine-line)' : 'var(--ring)'}
          strokeWidth="1.25"
          opacity={onPine ? 1 - index * 0.1 : 0.14 - index * 0.015}
        />
      ))}
    </svg>
  );
}
