import type { KeyboardEvent, ReactNode } from 'react';

type SegmentedProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** One of two to four views or settings. Arrow keys move, like any radio group. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (step === 0) return;
    event.preventDefault();
    const turned =
      getComputedStyle(event.currentTarget).direction === 'rtl' && event.key.length > 9 ? -step : step;
    const index = options.findIndex((option) => option.value === value);
    const next = options[(index + turned + options.length) % options.length];
    if (!next) return;
    onChange(next.value);
    event.currentTarget.querySelectorAll('button')[options.indexOf(next)]?.focus();
  };
  return (
    <div className="seg" role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a segment is a button in looks and a radio in meaning.
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
