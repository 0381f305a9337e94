import { type ReactNode, useState } from 'react';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';
import { Sheet } from '../overlays/sheet.tsx';
import { joinIds, ReasonGroup, SharedReason, useAvailability } from './needs-network.tsx';

type PickButtonProps<Value extends string> = {
  label: string;
  icon?: IconName;
  words?: string;
  options: readonly { value: Value; label: string; note?: string | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
  /** True for an option that only the server can show (`useCanShow`, ADR 341). */
  needsNetwork?: (value: Value) => boolean;
  footer?: (close: () => void) => ReactNode;
};

export function PickButton<Value extends string>({
  label,
  icon,
  words,
  options,
  value,
  onChange,
  needsNetwork,
  footer,
}: PickButtonProps<Value>) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const footerPart = footer?.(close);
  const now = options.find((option) => option.value === value);
  return (
    <>
      <button
        type="button"
        className="btn out s pick-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {icon ? <Icon name={icon} /> : null}
        <span className="vh">{label}: </span>
        {/* Truncates a name at its own end: a Latin name in Arabic text would lose its beginning. */}
        <span className="clip" dir="auto">
          {words ?? now?.label ?? label}
        </span>
        <Icon name="caret-down" />
      </button>
      <Sheet open={open} onClose={close} title={label}>
        <ReasonGroup>
          <SharedReason />
          <div className="col g2">
            {options.map((option) => (
              <Option
                key={option.value}
                option={option}
                isChosen={option.value === value}
                needsNetwork={option.value !== value && needsNetwork?.(option.value) === true}
                onChoose={() => {
                  onChange(option.value);
                  close();
                }}
              />
            ))}
          </div>
        </ReasonGroup>
        {footerPart ? <div className="mt4">{footerPart}</div> : null}
      </Sheet>
    </>
  );
}

type OptionProps = {
  option: { label: string; note?: string | undefined };
  isChosen: boolean;
  needsNetwork: boolean;
  onChoose: () => void;
};

/** A button instead of a radio: arrow keys in a radio group would choose, and close, at every step. */
function Option({ option, isChosen, needsNetwork, onChoose }: OptionProps) {
  const { offline, reasonId } = useAvailability(needsNetwork);
  return (
    <button
      type="button"
      className={['opt', isChosen && 'on', offline && 'offline'].filter(Boolean).join(' ')}
      aria-pressed={isChosen}
      aria-disabled={offline || undefined}
      aria-describedby={joinIds(reasonId)}
      onClick={offline ? undefined : onChoose}
    >
      <span className="grow">
        <span className="mid block">{option.label}</span>
        {option.note ? <span className="sm mute block">{option.note}</span> : null}
      </span>
      {isChosen ? <Icon name="check" /> : null}
    </button>
  );
}
