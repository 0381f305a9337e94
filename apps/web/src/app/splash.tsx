import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Mark } from '../ui/art/mark.tsx';
import { HillTown } from '../ui/art/town.tsx';

const rings = [104, 168, 232, 296, 360, 424];

export function Splash({
  text,
  waits = true,
  children,
}: {
  text: string;
  waits?: boolean;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <div className="splash">
      <svg className="splash-rings" viewBox="0 0 860 860" aria-hidden="true">
        {rings.map((radius, index) => (
          <circle key={radius} cx="430" cy="430" r={radius} opacity={1 - index * 0.12} />
        ))}
        {waits ? <circle className="ember" cx="430" cy="430" r="104" strokeDasharray="150 700" /> : null}
      </svg>
      <svg
        className="splash-town"
        viewBox="0 0 1170 240"
        preserveAspectRatio="xMidYMin slice"
        aria-hidden="true"
      >
        <circle cx="585" cy="634" r="534" fill="var(--pine-fill)" />
        <HillTown cx={585} cy={634} r={534} spread={3} />
        <circle cx="585" cy="634" r="500" fill="none" stroke="var(--pine-line)" />
        <circle cx="585" cy="634" r="464" fill="none" stroke="var(--pine-line)" />
      </svg>
      <div className="splash-name">
        <Mark onPine />
        <h1 className="h-xl">nearhand</h1>
        <p>{t`Good work, near at hand`}</p>
      </div>
      <div className="splash-foot">
        <p className="sm" role="status">
          {text}
        </p>
        {children}
      </div>
    </div>
  );
}
