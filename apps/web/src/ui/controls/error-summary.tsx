import { Plural } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';

/** All errors of a form above it, each linking to its field. Gets the focus when it appears. */
export function ErrorSummary({ errors }: { errors: readonly { id: string; text: string }[] }) {
  const box = useRef<HTMLDivElement>(null);
  const count = errors.length;
  useEffect(() => {
    if (count > 0) box.current?.focus();
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
                {error.text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
