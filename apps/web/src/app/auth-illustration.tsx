import { Lockup } from '../ui/art/mark.tsx';
import { RoundTown } from '../ui/art/town.tsx';

export default function EntryArt() {
  return (
    <div className="entry-art" aria-hidden="true">
      <Lockup onPine />
      <svg viewBox="0 0 390 390" aria-hidden="true">
        {[262, 214, 166].map((radius) => (
          <circle
            key={radius}
            cx="195"
            cy="195"
            r={radius}
            fill="none"
            stroke="var(--pine-line)"
            strokeWidth="1.25"
          />
        ))}
        <circle
          cx="195"
          cy="195"
          r="118"
          fill="var(--pine-fill)"
          stroke="var(--pine-line)"
          strokeWidth="1.25"
        />
        <RoundTown cx={195} cy={195} r={118} />
        {[80, 44].map((radius) => (
          <circle
            key={radius}
            cx="195"
            cy="195"
            r={radius}
            fill="none"
            stroke="var(--pine-line)"
            strokeWidth="1.75"
            strokeDasharray="1 6"
            strokeLinecap="round"
          />
        ))}
        <circle cx="195" cy="195" r="17" fill="var(--ember)" opacity=".25" />
        <circle cx="195" cy="195" r="8" fill="var(--ember)" />
      </svg>
    </div>
  );
}
