import type { ReactNode } from 'react';
import { Lockup } from '../../ui/art/mark.tsx';
import { HeaderRings } from '../../ui/art/rings.tsx';
import { useDocumentTitle } from '../../ui/pages/document-title.ts';

type SignInPageProps = { title: string; heading: string | null; lead?: string; children: ReactNode };

export function SignInPage({ title, heading, lead, children }: SignInPageProps) {
  useDocumentTitle(title);
  return (
    <main className="c-door">
      <HeaderRings corner="start" onPine={false} />
      <div className="c-door-page">
        <p className="row g2">
          <Lockup />
          <span className="badge">Operators</span>
        </p>
        {heading === null ? null : <h1 className="h-xl mt6">{heading}</h1>}
        {lead ? <p className="mute mt2">{lead}</p> : null}
        <div className="col g4 mt6">{children}</div>
      </div>
    </main>
  );
}
