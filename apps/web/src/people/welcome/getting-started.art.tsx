import { useLingui as useLanguage } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { House } from '../../ui/art/street.tsx';
import { RoundTown } from '../../ui/art/town.tsx';

const centre = { cx: 195, cy: 195 };
const viewBox = '0 0 390 390';

export const NoArt = () => <svg viewBox={viewBox} aria-hidden="true" />;

function Ground({ children }: { children: ReactNode }) {
  return (
    <svg viewBox={viewBox} aria-hidden="true">
      {[262, 214, 166].map((radius) => (
        <circle
          key={radius}
          {...centre}
          r={radius}
          fill="none"
          stroke="var(--pine-line)"
          strokeWidth="1.25"
        />
      ))}
      <circle {...centre} r="118" fill="var(--pine-fill)" stroke="var(--pine-line)" strokeWidth="1.25" />
      <RoundTown cx={195} cy={195} r={118} />
      {children}
    </svg>
  );
}

function Dots({ r }: { r: number }) {
  return (
    <circle
      {...centre}
      r={r}
      fill="none"
      stroke="var(--pine-line)"
      strokeWidth="1.75"
      strokeDasharray="1 6"
      strokeLinecap="round"
    />
  );
}

function Pin({ x, y, text, on }: { x: number; y: number; text: string; on?: boolean }) {
  const width = 26 + text.length * 8;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M-6 11h12l-6 8z" fill={on ? 'var(--action)' : 'var(--raised)'} />
      <rect
        x={-width / 2}
        y="-17"
        width={width}
        height="32"
        rx="16"
        fill={on ? 'var(--action)' : 'var(--raised)'}
      />
      <text y="5" fontSize="14" textAnchor="middle" className={on ? 'pin-text on' : 'pin-text'}>
        {text}
      </text>
    </g>
  );
}

export function NearArt() {
  // Re-renders in a new language, because amounts depend on it.
  useLanguage();
  return (
    <Ground>
      <Dots r={80} />
      <Dots r={44} />
      <circle {...centre} r="17" fill="var(--art-sky)" opacity=".22" />
      <circle {...centre} r="9" fill="var(--on-pine)" />
      <circle {...centre} r="6" className="you" />
      <Pin x={104} y={122} text={formatMoney(1_800, 'EUR')} />
      <Pin x={286} y={102} text={formatMoney(9_500, 'EUR')} on />
      <Pin x={316} y={301} text={formatMoney(2_200, 'EUR')} />
      <Pin x={78} y={313} text={formatMoney(1_650, 'EUR')} />
    </Ground>
  );
}

export function AnswerArt() {
  const { t } = useLingui();
  const round = 2 * Math.PI * 84;
  const { decideByDays: days } = useSettings();
  return (
    <Ground>
      <circle {...centre} r="84" fill="none" stroke="var(--pine-line)" strokeWidth="10" />
      <circle
        {...centre}
        r="84"
        fill="none"
        stroke="var(--ember)"
        strokeWidth="10"
        strokeLinecap="round"
        strokeDasharray={`${round * 0.64} ${round}`}
        transform="rotate(-90 195 195)"
      />
      <text x="195" y="200" fontSize="56" textAnchor="middle" className="art-figure">
        {days}
      </text>
      <text x="195" y="226" fontSize="16" textAnchor="middle" className="art-word">
        {t`days at most`}
      </text>
    </Ground>
  );
}

const people = [
  { x: 128, y: 178, skin: 'straw', coat: 'moss' },
  { x: 262, y: 178, skin: 'cream', coat: 'sky' },
  { x: 152, y: 262, skin: 'brick', coat: 'cream' },
  { x: 238, y: 262, skin: 'cream', coat: 'straw' },
] as const;

export function HireArt() {
  return (
    <Ground>
      <Dots r={80} />
      <g transform="translate(195 222) scale(1.5)">
        <House roof="bell" wall="cream" width={36} height={47} shop="brick" />
      </g>
      {people.map((person) => (
        <g key={`${person.x}-${person.y}`} transform={`translate(${person.x} ${person.y})`}>
          <circle r="19" fill="var(--pine)" stroke="var(--pine-line)" strokeWidth="1.25" />
          <path d="M-11 13a11 11 0 0 1 22 0a19 19 0 0 1 -22 0z" fill={`var(--art-${person.coat})`} />
          <circle cy="-4" r="6.5" fill={`var(--art-${person.skin})`} />
        </g>
      ))}
    </Ground>
  );
}
