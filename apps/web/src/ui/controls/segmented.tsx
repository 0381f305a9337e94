import type { KeyboardEvent, ReactNode } from 'react';
import { joinIds, ReasonGroup, SharedReason, useAvailability } from './needs-network.tsx';
import { arrowSteps, readingKey } from './reading-direction.ts';

type SegmentedProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  /** Null until one is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
  /** Returns whether an option is one that only the server can show (`useCanShow`, ADR 341). */
  needsNetwork?: (value: Value) => boolean;
};

/** One of two to four views or settings. Arrow keys move, like any radio group. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  needsNetwork,
}: SegmentedProps<Value>) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = arrowSteps[readingKey(event, event.currentTarget)];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const able = buttons.filter((button) => button.getAttribute('aria-disabled') !== 'true');
    const now = able.findIndex((button) => button.getAttribute('aria-checked') === 'true');
    const next = able[(now + step + able.length) % able.length];
    const option = next && options[buttons.indexOf(next)];
    if (!option || option.value === value) return;
    onChange(option.value);
    next.focus();
  };
  return (
    <ReasonGroup>
      <div className="seg" role="radiogroup" aria-label={label} onKeyDown={move}>
        {options.map((option) => (
          <Segment
            key={option.value}
            isChosen={option.value === value}
            isReached={option.value === value || (value === null && option === options[0])}
            needsNetwork={option.value !== value && needsNetwork?.(option.value) === true}
            onChoose={() => onChange(option.value)}
          >
            {option.label}
          </Segment>
        ))}
      </div>
      <SharedReason />
    </ReasonGroup>
  );
}

type SegmentProps = {
  children: ReactNode;
  isChosen: boolean;
  /** True for the only segment in the tab order. */
  isReached: boolean;
  needsNetwork: boolean;
  onChoose: () => void;
};

function Segment({ children, isChosen, isReached, needsNetwork, onChoose }: SegmentProps) {
  const { offline, reasonId } = useAvailability(needsNetwork);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it looks like a button but is a radio button.
    <button
      type="button"
      role="radio"
      className={offline ? 'offline' : undefined}
      aria-checked={isChosen}
      aria-disabled={offline || undefined}
      aria-describedby={joinIds(reasonId)}
      tabIndex={isReached ? 0 : -1}
      onClick={offline ? undefined : onChoose}
    >
      {children}
    </button>
  );
}
