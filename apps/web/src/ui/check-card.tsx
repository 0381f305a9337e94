import type { ReactNode } from 'react';
import { Icon } from './art/icon.tsx';
import type { IconName } from './art/icon-names.ts';
import { Badge, type Tone } from './badge.tsx';
import './check-card.css';

export type CheckFacts = {
  icon: IconName;
  title: string;
  status: { label: string; tone?: Tone };
  subject?: ReactNode;
  notes: readonly string[];
  children?: ReactNode;
};

export function CheckCard({ icon, title, status, subject, notes, children }: CheckFacts) {
  return (
    <section className="card check-card" aria-label={title}>
      <div className="row g3 check-head">
        <Icon name={icon} className="check-icon" />
        <h2 className="h-s grow">{title}</h2>
        <Badge tone={status.tone} icon={status.tone === 'good' ? 'seal-check' : undefined}>
          {status.label}
        </Badge>
      </div>
      {subject ? <p className="break num">{subject}</p> : null}
      {notes.map((note) => (
        <p key={note} className="sm mute">
          {note}
        </p>
      ))}
      {children}
    </section>
  );
}
