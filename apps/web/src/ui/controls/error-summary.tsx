import { Plural } from '@lingui/react/macro';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The legend of a field's group, or its own label, without help and marks. */
function labelOf(id: string): string {
  const field = document.getElementById(id);
  const labels = (field as HTMLInputElement | null)?.labels;
  const label = field?.closest('fieldset')?.querySelector(':scope > legend') ?? labels?.[0];
  const copy = label?.cloneNode(true) as HTMLElement | undefined;
  for (const extra of copy?.querySelectorAll('.opt-mark, .help, .mute') ?? []) extra.remove();
  return copy?.textContent?.trim() ?? '';
}

/** An error away from its field names it, unless its sentence or the label's own question does. */
const withLabel = (label: string, text: string): string =>
  label === '' ||
  /[?؟]$/.test(label) ||
  /:\s/.test(text) ||
  text.toLocaleLowerCase().includes(label.toLocaleLowerCase())
    ? text
    : `${label}: ${text}`;

/** All errors of a form above it, each linking to its field. Gets the focus when it appears or grows. */
export function ErrorSummary({ errors }: { errors: readonly { id: string; text: string }[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [labels, setLabels] = useState<Record<string, string>>({});
  const count = errors.length;
  const ids = errors.map(({ id }) => id).join(' ');
  useLayoutEffect(() => {
    setLabels(Object.fromEntries(ids.split(' ').map((id) => [id, labelOf(id)])));
  }, [ids]);
  const countBefore = useRef(0);
  useEffect(() => {
    // Fixing one of several errors must not move the focus.
    if (count > countBefore.current) box.current?.focus();
    countBefore.current = count;
  }, [count]);
  if (count === 0) return null;
  return (
    <div className="banner bad" role="alert" tabIndex={-1} ref={box}>
      <div>
        <p className="strong">
          <Plural value={count} one="One thing needs your attention" other="# things need your attention" />
        </p>
        <ul className="mt1">
          {errors.map((error) => (
            <li key={error.id}>
              <a
                className="link summary-link"
                href={`#${error.id}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(error.id)?.focus();
                }}
              >
                {withLabel(labels[error.id] ?? '', error.text)}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
