export function Mark({ onPine }: { onPine?: boolean }) {
  return (
    <svg className="mark" viewBox="0 0 64 64" aria-hidden="true">
      <path
        d="M14 57V33a18 18 0 0 1 36 0v24"
        fill="none"
        stroke={onPine ? 'var(--on-pine)' : 'var(--text)'}
        strokeWidth="11.5"
      />
      <circle cx="32" cy="33" r="6.6" fill={onPine ? 'var(--ember)' : 'var(--action)'} />
    </svg>
  );
}

export function Lockup({ onPine }: { onPine?: boolean }) {
  return (
    <span className="lockup">
      <Mark onPine={onPine} />
      nearhand
    </span>
  );
}
