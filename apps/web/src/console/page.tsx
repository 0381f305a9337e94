import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from '../ui/controls/link.tsx';
import { useDocumentTitle } from '../ui/pages/document-title.ts';

type PageProps = {
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  up?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
};

/** A page of the console. Opening it moves the focus to its heading. */
export function Page({ title, heading = title, lead, up, actions, children }: PageProps) {
  useDocumentTitle(title);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return (
    <main className="c-main" id="main">
      <div className="c-page">
        {up ? (
          <Link className="link hit sm" to={up.to}>
            {up.label}
          </Link>
        ) : null}
        {heading === null ? null : (
          <div className="c-head">
            <div className="grow">
              <h1 className="h-l" ref={head} tabIndex={-1}>
                {heading}
              </h1>
              {lead ? <div className="mute sm mt1">{lead}</div> : null}
            </div>
            {actions}
          </div>
        )}
        {children}
      </div>
    </main>
  );
}
