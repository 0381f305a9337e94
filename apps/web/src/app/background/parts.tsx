import { type ComponentType, Suspense } from 'react';
import { Boundary } from '../boundary.tsx';

/** Renders parts that show nothing. A failure in one affects no screen and no other part. */
export function Parts({ of }: { of: readonly ComponentType[] }) {
  return of.map((Part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
    <Boundary silent key={index}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </Boundary>
  ));
}
