import type { ReactNode } from 'react';

export function FormPart({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section className="form-part">
      <h2 className="h-m">{title}</h2>
      {lead ? <p className="sm mute mt1">{lead}</p> : null}
      <div className="form-fields mt4">{children}</div>
    </section>
  );
}
