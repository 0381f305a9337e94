import type { ReactNode } from 'react';

export function FactsCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <h2 className="h-s">{title}</h2>
      <div className="mt3">{children}</div>
    </section>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="c-facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="pre-line">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
